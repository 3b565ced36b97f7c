"""Uploads: whether one counts, and how it is stored before it is acknowledged.

An upload is acknowledged only when it is on the disk. The files are written to a temporary folder, which is
renamed to the attempt's name when all of them and the folder are on the disk; only then is the attempt added
to the database. So if the service is killed at any moment, it either has the whole attempt, or has not
acknowledged it; a folder without an attempt is swept away. Uploads that are replaced, or rejected at the last
moment, are deleted at once: otherwise a student who hands in again and again would fill the disk.

What a student chooses, where it is not clear what in an upload counts, is kept beside its results.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, cast

from grader.api import Course, CourseRules, UploadReading, safe_name
from grader.disk import write_whole, writing
from grader.errors import Undecided
from grader.languages import catalogue
from grader.model import ChoiceJson
from grader.serve.data_folder import DataFolder
from grader.serve.store import attempts, regrades, settings
from grader.serve.store.attempts import Attempt, Upload
from grader.serve.store.database import Store
from lab.atomic_file import sync


def choose_attempt(rules: CourseRules, known: Sequence[Attempt], deadline: float | None) -> Attempt | None:
    """Return the attempt that counts, or None if no attempt has a mark; ``deadline`` is the student's own.

    A refused attempt counts only if all attempts were refused; of equal marks, the earlier attempt counts.
    """
    marked = [each for each in known if each.has_result and each.state != "withdrawn"]
    readable = [each for each in marked if each.state != "refused"] or marked
    if rules.counts == "last":
        return max(readable, key=lambda each: each.number, default=None)
    return max(
        readable,
        key=lambda each: ((each.score or 0.0) * rules.share_left(each.at, deadline), -each.number),
        default=None,
    )


_PARTIAL: Final = ".partial"
_ASKED = "asked.json"
_CHOSEN = "chosen.json"


@dataclass(frozen=True, slots=True)
class Conditions:
    """What an upload has to meet."""

    is_clear: Callable[[Sequence[tuple[Path, str]]], bool] = lambda _: True
    """Tells by the stored files, with their names, that there is an exercise in it; if not, it is read."""
    costs: bool = True
    """Whether it counts against the student's limit of attempts."""
    check: Callable[[], None] = lambda: None
    """Is called inside the transaction, while nobody else can hand in; raises an exception to reject it."""


def hand_in(
    data: DataFolder,
    store: Store,
    person: int,
    files: Sequence[tuple[str, bytes]],
    now: float,
    conditions: Conditions = Conditions(),
) -> Attempt:
    """Store files, given as names and contents, and put them into the queue as an attempt.

    Raises DiskError.
    """
    upload = store_upload(data, files)
    try:
        paths = upload_paths(data.upload(upload.id), upload.labels)
        is_read = conditions.is_clear(tuple(zip(paths, upload.labels, strict=True)))
        with store.transaction():
            conditions.check()
            gone = attempts.list_replaceable(store, person) if is_read else []
            added = attempts.add(store, person, upload, now, is_read=is_read, costs=conditions.costs)
    except BaseException:
        shutil.rmtree(data.upload(upload.id), ignore_errors=True)
        raise
    _delete_uploads(data, store, gone)
    return added


def _delete_uploads(data: DataFolder, store: Store, gone: Sequence[str]) -> None:
    if not settings.is_backup_running(store):  # a copy that begins now knows that they are replaced
        for each in gone:
            shutil.rmtree(data.upload(each), ignore_errors=True)


_READ_AT_ONCE: Final = 2


class UploadReader:
    """Reads uploads whose names do not tell whether there is an exercise in them, two at once."""

    def __init__(self, data: DataFolder, store: Store, courses: Mapping[str, Course]) -> None:
        self._data, self._store, self._courses = data, store, courses
        self._running: dict[str, tuple[Attempt, UploadReading]] = {}

    def tick(self, now: float) -> None:
        """Store what has been read, and read what comes next. Raises DiskError."""
        for attempt, reading in [*self._running.values()]:
            lacks = reading.poll()
            if lacks is None:
                continue
            course = self._courses[attempt.course]
            say = catalogue(course.language or course.rules.language).say
            gone = attempts.put_read(self._store, attempt, now, " ".join(map(say, lacks)))
            _delete_uploads(self._data, self._store, gone)
            del self._running[attempt.id]
        waiting = (each for each in attempts.list_unread(self._store) if each.id not in self._running)
        served = (each for each in waiting if each.course in self._courses)
        for attempt in islice(served, _READ_AT_ONCE - len(self._running)):
            paths = upload_paths(self._data.upload(attempt.id), attempt.labels)
            files = tuple(zip(paths, attempt.labels, strict=True))
            reading = UploadReading(files, self._courses[attempt.course].rules.added)
            self._running[attempt.id] = attempt, reading

    def close(self) -> None:
        """End what is being read: the next start reads it anew."""
        for _, reading in self._running.values():
            reading.close()


def store_upload(data: DataFolder, files: Sequence[tuple[str, bytes]]) -> Upload:
    """Write the files and sync them to the disk, so that a power cut does not lose them. Raises DiskError."""
    labels, size = tuple(label for label, _ in files), sum(len(content) for _, content in files)
    upload = Upload(attempts.new_id(), _digest(files), labels, size)
    partial = data.uploads / f"{upload.id}{_PARTIAL}"
    with writing(partial):
        partial.mkdir(mode=0o700)
        try:
            for path, (_, content) in zip(upload_paths(partial, upload.labels), files, strict=True):
                path.write_bytes(content)
                sync(path)
            _sync_folder(partial)
        except OSError:
            shutil.rmtree(partial, ignore_errors=True)  # where the disk is full, it is missed
            raise
        partial.rename(data.upload(upload.id))
        _sync_folder(data.uploads)
    return upload


def upload_paths(folder: Path, labels: Sequence[str]) -> tuple[Path, ...]:
    """Return the paths of an upload's files."""
    return tuple(folder / f"{number:03}-{safe_name(label)}" for number, label in enumerate(labels))


def sweep_orphans(data: DataFolder, store: Store, *, older_than: float) -> None:
    """Delete folders that are older than a time and belong to no attempt, or to one that was replaced, or to
    a regrade that is neither going on nor published.

    Results without an attempt exist if ``grader forget`` was killed.
    """
    stays, editions = settings.is_backup_running(store), regrades.list_editions(store)
    for folder in (*data.uploads.iterdir(), *data.attempts.iterdir()):
        id_, _, edition = folder.name.partition(".")
        attempt = attempts.get(store, id_)
        is_idle = attempt is None or (attempt.state == "replaced" and not stays)
        if attempt is not None and edition.isdigit():
            is_idle = int(edition) not in {attempt.edition, *editions} and not stays
        with suppress(FileNotFoundError):  # put in its place, or taken away, in this very moment
            if is_idle and folder.stat().st_mtime < older_than:
                shutil.rmtree(folder, ignore_errors=True)


def _digest(files: Sequence[tuple[str, bytes]]) -> str:
    digest = hashlib.sha256()
    for label, content in files:
        for part in (label.encode("utf-8", "surrogatepass"), content):
            digest.update(f"{len(part)}:".encode() + part)
    return digest.hexdigest()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_undecided(attempt: Attempt) -> bool:
    """Tell whether an attempt was not graded since it is not clear what counts."""
    return attempt.state == "fault" and attempt.reason.startswith(Undecided.OPENING)


def put_choice(data: DataFolder, attempt: Attempt, choice: ChoiceJson) -> None:
    """Keep what the student has to choose from. Raises DiskError."""
    with writing(folder := data.attempt(attempt.id)):
        folder.mkdir(exist_ok=True)
    write_whole(folder / _ASKED, json.dumps(choice).encode())


def find_choice(data: DataFolder, attempt: Attempt) -> ChoiceJson | None:
    """Return what the student has to choose from; None if there is nothing."""
    path = data.attempt(attempt.id) / _ASKED
    is_asked = is_undecided(attempt) and path.is_file()
    return cast(ChoiceJson, json.loads(path.read_bytes())) if is_asked else None


def choose(data: DataFolder, attempt: Attempt, question: str, number: int) -> None:
    """Keep what the student chose. Raises DiskError."""
    chosen = {**choices_of(data, attempt), question: number}
    write_whole(data.attempt(attempt.id) / _CHOSEN, json.dumps(chosen).encode())


def choices_of(data: DataFolder, attempt: Attempt) -> dict[str, int]:
    """Return what the student chose, by question."""
    path = data.attempt(attempt.id) / _CHOSEN
    return dict(json.loads(path.read_bytes())) if path.is_file() else {}
