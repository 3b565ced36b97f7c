"""Backs up all data of a service while it runs, and restores it.

A snapshot of the database is copied first. All files that it refers to are on the disk by then: the files of
an upload or a result are written before their row, and uploads that are replaced during the backup are kept.
Files that are added during the backup have no row in the snapshot, and are swept away after a restore.
The courses are among the files, since the service keeps a copy of each that it serves.

A backup is unpacked by this module, not by ``tarfile``, whose filter not every Python 3.11 has: it holds
nothing but ordinary files below the folder, and anything else is refused.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Final

from grader.course.rubric import SHIPPED, Rubric
from grader.disk import whole, writing
from grader.errors import InputError
from grader.exports.gradescope import course_files
from grader.serve.data_folder import DataFolder
from grader.serve.store import settings
from grader.serve.store.database import Store
from grader.text import visible

_LEVEL: Final = 3
"""The archive is compressed with gzip at level 3."""
_JOURNAL: Final = ".journal.sqlite"
"""A class folder keeps its journal in a database of this name."""


def keep_course(data: DataFolder, id_: str, rubric: Rubric) -> str:
    """Replace the copy of a course; return why there is none, or nothing. Raises DiskError.

    The course that ships needs none, and a course that is served from its copy is one.
    """
    target = data.courses / id_
    if rubric.path == SHIPPED or rubric.path.resolve().parent == target.resolve():
        return ""
    try:
        files = {name: path.read_bytes() for name, path in course_files(rubric)}
    except InputError as error:
        return f"{id_} is in no backup: {error}"
    with writing(target):
        shutil.rmtree(target, ignore_errors=True)
        for name, content in {"rubric.yaml": rubric.path.read_bytes(), **files}.items():
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
                    _add(packed, path, data)
    return f"{copy}: put it back with grader serve restore {copy} --data DIR"


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
    with closing(Store(DataFolder(folder).database)) as store:
        count = store.value("select count(*) from attempts")
    courses = "".join(f" --course {path}" for path in sorted(DataFolder(folder).courses.iterdir()))
    return f"{count} attempts are back in {folder}: start the service with --data {folder}{courses}"


def _extract(packed: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write a file of a backup below a folder, for its owner only. Raises TarError if it is none."""
    name = PurePosixPath(member.name)
    content = packed.extractfile(member) if member.isreg() else None
    if content is None or name.is_absolute() or ".." in name.parts:
        raise tarfile.ReadError(f"{visible(member.name)} is no file of a service")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with content, open(path, "xb", opener=_for_owner_only) as file:
        shutil.copyfileobj(content, file)


def _for_owner_only(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files except the logs and locks of running programs."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and not path.name.endswith(("-wal", "-shm", ".lock")):
            yield path


def _add(packed: tarfile.TarFile, path: Path, data: DataFolder) -> None:
    try:
        packed.add(path, str(path.relative_to(data.folder)), recursive=False)
    except FileNotFoundError:
        return  # of an attempt that was replaced or forgotten meanwhile


def _add_database(packed: tarfile.TarFile, path: Path, data: DataFolder, temporary: Path) -> None:
    """Add a snapshot of a database, whoever is writing to it."""
    copied = temporary / "copy.sqlite"
    copied.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copied)) as target:
        source.backup(target)
    packed.add(copied, str(path.relative_to(data.folder)))
