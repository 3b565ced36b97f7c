"""An upload from bytes to a place in the queue: it is acknowledged when it is on the disk, and not before.

The files are written into a folder beside, which takes the attempt's name when all of them and the folder are
on the disk; only then the attempt is put in the database. So a service that is killed at any moment has the
whole attempt, or has not acknowledged it; a folder without an attempt is swept away. What is replaced or, at
the last moment, not taken goes at once: else who hands in again and again would fill the disk.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.disk import writing
from grader.intake.names import safe_name
from grader.serve.data import Data
from grader.serve.store import attempts, settings
from grader.serve.store.attempts import Attempt, Upload
from grader.serve.store.database import Store
from lab.atomic_file import sync

_PARTIAL: Final = ".partial"


def hand_in(
    data: Data,
    store: Store,
    person: int,
    files: Sequence[tuple[str, bytes]],
    now: float,
    *,
    check: Callable[[], None] = lambda: None,
) -> Attempt:
    """Keep files (what each is called, and its bytes), and have them wait their turn.

    ``check`` is asked at the last moment, while nobody else can hand in, and raises where they are not to be
    taken; nothing is kept then. Raises DiskError.
    """
    upload = keep(data, files)
    try:
        with store.transaction():
            check()
            gone = attempts.replaceable(store, person)
            added = attempts.add(store, person, upload, now)
    except BaseException:
        shutil.rmtree(data.upload(upload.id), ignore_errors=True)
        raise
    if not settings.is_copying(store):  # a copy that begins now knows that they are replaced
        for each in gone:
            shutil.rmtree(data.upload(each), ignore_errors=True)
    return added


def keep(data: Data, files: Sequence[tuple[str, bytes]]) -> Upload:
    """Have the files on the disk, so that not even a power cut loses them. Raises DiskError."""
    labels, size = tuple(label for label, _ in files), sum(len(content) for _, content in files)
    upload = Upload(attempts.new_id(), _digest(files), labels, size)
    partial = data.uploads / f"{upload.id}{_PARTIAL}"
    with writing(partial):
        partial.mkdir(mode=0o700)
        try:
            for path, (_, content) in zip(paths(partial, upload.labels), files, strict=True):
                path.write_bytes(content)
                sync(path)
            _sync_folder(partial)
        except OSError:
            shutil.rmtree(partial, ignore_errors=True)  # where the disk is full, it is missed
            raise
        partial.rename(data.upload(upload.id))
        _sync_folder(data.uploads)
    return upload


def paths(folder: Path, labels: Sequence[str]) -> tuple[Path, ...]:
    """Where the files of an upload lie."""
    return tuple(folder / f"{number:03}-{safe_name(label)}" for number, label in enumerate(labels))


def sweep(data: Data, store: Store, *, older_than: float) -> None:
    """Take away what belongs to no attempt, or to one that was replaced, and is older than a moment.

    Results belong to none where a grader was killed while it forgot somebody.
    """
    stays = settings.is_copying(store)
    for folder in (*data.uploads.iterdir(), *data.attempts.iterdir()):
        attempt = attempts.get(store, folder.name)
        is_idle = attempt is None or (attempt.state == "replaced" and not stays)
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
