"""The data folder of the service: its layout, copies of it, and what is forgotten of a person.

A backup is made while the service runs. A snapshot of the database is copied first. All files that it refers
to are on the disk by then: the files of an upload or a result are written before their row, and uploads that
are replaced during the backup are kept. Files that are added during the backup have no row in the snapshot,
and are swept away after a restore. The courses are among the files, since the service keeps a copy of each
that it serves.

A backup is unpacked here, not by ``tarfile``, whose filter not every Python 3.11 has: it holds
nothing but ordinary files below the folder, and anything else is refused.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from grader.api import ClassFolder, Course
from grader.disk import whole, writing
from grader.errors import InputError
from grader.serve.store import attempts, courses, people, settings
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store, copies_before
from grader.serve.store.people import Person
from grader.text import visible

DEFAULT: Final = Path("serve-data")
"""The data folder is ./serve-data if no other one is given."""
_OWNER_ONLY: Final = 0o700
"""The folders of the service have this mode: only their owner may read them."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data folder of a service."""

    folder: Path

    @property
    def database(self) -> Path:
        """Return the path of the database."""
        return self.folder / "serve.sqlite"

    @property
    def lti(self) -> Path:
        """Return the folder with the keys for learning platforms."""
        return self.folder / "lti"

    @property
    def certificate(self) -> Path:
        """Return the path of the certificate of workers on other machines."""
        return self.folder / "cluster.pem"

    @property
    def uploads(self) -> Path:
        """Return the folder with the uploaded files, which has a folder for each attempt."""
        return self.folder / "uploads"

    def upload(self, attempt: str) -> Path:
        """Return the folder with the uploaded files of an attempt."""
        return self.uploads / attempt

    @property
    def attempts(self) -> Path:
        """Return the folder with the results of all attempts."""
        return self.folder / "attempts"

    def attempt(self, attempt: str) -> Path:
        """Return the folder of an attempt, with what its student chose, and its first result."""
        return self.attempts / attempt

    def result(self, attempt: Attempt) -> Path:
        """Return the folder with an attempt's results.json, feedback.html, and files for staff."""
        return self.attempts / (f"{attempt.id}.{attempt.edition}" if attempt.edition else attempt.id)

    def course(self, course: str) -> ClassFolder:
        """Return the class folder of a course, in the layout of ``grader batch``."""
        return ClassFolder(self.folder / "class" / course)

    @property
    def courses(self) -> Path:
        """Return the folder with a copy of each course that was served, but for the one that ships."""
        return self.folder / "courses"

    def create(self) -> None:
        """Create the folders that are missing, and restrict all to their owner. Raises DiskError."""
        parts = self.uploads, self.attempts, self.folder / "class", self.lti, self.courses
        for folder in (self.folder, *parts):
            with writing(folder):
                folder.mkdir(parents=True, exist_ok=True)
                os.chmod(folder, _OWNER_ONLY)  # noqa: PTH101 - of a folder of ours


_LEVEL: Final = 3
"""The archive is compressed with gzip at level 3."""
_JOURNAL: Final = ".journal.sqlite"
"""A class folder keeps its journal in a database of this name."""


def keep_course(data: DataFolder, id_: str, course: Course) -> str:
    """Replace the copy of a course; return why there is none, or nothing. Raises DiskError.

    The course that ships needs none, and a course that is served from its copy is one.
    """
    target = data.courses / id_
    if course.path.resolve().parent == target.resolve():
        return ""
    try:
        files = course.files()
    except InputError as error:
        return f"{id_} is in no backup: {error}"
    if not files:
        return ""
    with writing(target):
        shutil.rmtree(target, ignore_errors=True)
        for name, content in files.items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(content)
    return ""


def back_up(folder: Path, copy: Path) -> str:
    """Write a backup of everything to one file; return a message. Raises InputError or DiskError."""
    data = DataFolder(folder)
    if not data.database.is_file():
        raise InputError("expected a folder of grader serve", path=folder)
    if copy.resolve().is_relative_to(folder.resolve()):
        raise InputError("the copy cannot lie in what is copied: name another folder", path=copy)
    with (
        closing(Store(data.database)) as store,
        settings.backup_running(store),
        tempfile.TemporaryDirectory(prefix="maze-grader-") as temporary,
        whole(copy) as partial,
    ):
        partial.touch(mode=0o600)
        with tarfile.open(partial, "w:gz", compresslevel=_LEVEL) as packed:
            _add_database(packed, data.database, data, Path(temporary))
            for path in _files(folder):
                if path.name == _JOURNAL:
                    _add_database(packed, path, data, Path(temporary))
                elif path != data.database:
                    with suppress(FileNotFoundError):  # of an attempt that was replaced or forgotten
                        packed.add(path, str(path.relative_to(data.folder)), recursive=False)
    return f"{copy}: put it back with grader serve restore {shlex.quote(str(copy))} --data DIR"


def restore(copy: Path, folder: Path) -> str:
    """Unpack a backup into a new or empty folder; return a message. Raises InputError or DiskError."""
    if folder.exists() and any(folder.iterdir()):
        raise InputError(
            "expected a folder that is not there yet, or is empty: move this one away", path=folder
        )
    try:
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tarfile.open(copy, "r:gz") as packed, writing(folder):
            for member in packed:
                _extract(packed, member, folder)
    except (tarfile.TarError, EOFError, FileNotFoundError) as error:
        raise InputError(f"expected what grader serve backup wrote: {error}", path=copy) from None
    DataFolder(folder).create()
    try:
        with closing(sqlite3.connect(DataFolder(folder).database)) as copied:
            (count,) = copied.execute("select count(*) from attempts").fetchone()
    except sqlite3.Error as error:
        raise InputError(f"expected what grader serve backup wrote: {error}", path=copy) from None
    own = [("--course", path) for path in sorted(DataFolder(folder).courses.iterdir())]
    options = [f"{option} {shlex.quote(str(path))}" for option, path in (("--data", folder), *own)]
    return f"{count} attempts are back in {folder}: start the service with {' '.join(options)}"


def _extract(packed: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write a file of a backup below a folder, for its owner only. Raises TarError if it is none."""
    name = PurePosixPath(member.name)
    content = packed.extractfile(member) if member.isreg() else None
    if content is None or name.is_absolute() or ".." in name.parts:
        raise tarfile.ReadError(f"{visible(member.name)} is no file of a service")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with content, open(path, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        shutil.copyfileobj(content, file)


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files except the logs and locks of running programs, and copies from before an upgrade."""
    left_out = {*copies_before(DataFolder(folder).database)}
    for path in sorted(folder.rglob("*")):
        is_plain = path.is_file() and not path.is_symlink() and path not in left_out
        if is_plain and not path.name.endswith(("-wal", "-shm", ".lock")):
            yield path


def _add_database(packed: tarfile.TarFile, path: Path, data: DataFolder, temporary: Path) -> None:
    """Add a snapshot of a database, whoever is writing to it."""
    copied = temporary / "copy.sqlite"
    copied.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copied)) as target:
        source.backup(target)
    packed.add(copied, str(path.relative_to(data.folder)))


def forget_person(folder: Path, who: str) -> str:
    """Remove a person from all courses, while the service may run; return a message. Raises InputError."""
    data = DataFolder(folder)
    with closing(Store(data.database)) as store:
        found = _find_people(store, folder, who)
        messages = [line for person in found for line in _forget(data, store, person)]
        store.rows("vacuum")
        store.rows("pragma wal_checkpoint(truncate)")
    for copy in copies_before(data.database):
        copy.unlink()
        messages.append(f"deleted, since they are in it: {copy}")
    return "\n".join([f"forgotten: {who}", *messages])


def _find_people(store: Store, folder: Path, who: str) -> list[Person]:
    """Return the person with that name, folder, e-mail address or id in each course. Raises InputError."""
    wanted, found = who.casefold(), list[Person]()
    for course in courses.load_titles(store):
        everybody = people.list_for_course(store, course)
        exact = [each for each in everybody if each.folder == who]
        meant = exact or [each for each in everybody if wanted in _names_of(each)]
        if len(meant) > 1:
            names = ", ".join(each.folder for each in meant)
            raise InputError(f"{who} may be any of {names}: write one of these", path=folder)
        found += meant
    if not found:
        expected = "write the name, the folder, or the e-mail address"
        raise InputError(f"{who} is nobody here: {expected}", path=folder)
    return found


def _names_of(person: Person) -> set[str]:
    return {each.casefold() for each in (person.name, person.email, person.external) if each}


def _forget(data: DataFolder, store: Store, person: Person) -> list[str]:
    """Remove the files first, and the person's row last, so that the command can be repeated if it is killed.

    The lock keeps out the updater of the class folder, which would restore the files as long as the row
    exists.
    """
    folder = data.course(person.course)
    with folder.held():
        messages = folder.forget(person.folder, (person.folder, person.name, person.email, person.external))
        _remove_files(data, attempts.list_for_person(store, person.id))
        with store.transaction():
            handed_in = attempts.list_for_person(store, person.id)
            store.rows(
                "delete from audit where course = ? and (whom in (?, ?) or actor = ?)",
                (person.course, person.name, person.folder, person.name),
            )
            people.remove(store, person.id)
    _remove_files(data, handed_in)  # what came of one, or was handed in, meanwhile
    return messages


def _remove_files(data: DataFolder, handed_in: Iterable[Attempt]) -> None:
    for attempt in handed_in:
        of_regrades = data.attempts.glob(f"{attempt.id}.*")
        for folder in (data.attempt(attempt.id), *of_regrades, data.upload(attempt.id)):
            shutil.rmtree(folder, ignore_errors=True)
