"""A disk that counts every change below a folder, and can refuse or be inspected from one of them on.

All ways to change the disk pass here: files opened for writing and what is written to them, names that are
created, moved and deleted, folders, and SQLite statements. Each is a step, and the same command always makes
the same steps. Nothing is flushed to a real disk.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
_SQLITE = {errno.ENOSPC: (sqlite3.SQLITE_FULL, "database or disk is full")}
_READ_ONLY = (sqlite3.SQLITE_READONLY, "attempt to write a readonly database")
_GIVES_ROOM = ("unlink", "truncate", "rename")
"""What still works on a full disk."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the disk."""

    what: str
    path: Path


class Disk:
    """Stands between the grader and the disk while a command runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.steps: list[Step] = []

    def comes(self, what: str, path: Path) -> None:
        """Note that a step is about to be taken."""
        self.steps.append(Step(what, path))

    def half(self, path: Path, content: bytes | None = None) -> None:
        """Note a half-written file: as it is on the disk, or with this content."""

    def watches(self, path: Any) -> bool:
        """Return whether this is below the folder, or the folder itself."""
        if isinstance(path, int):
            return False
        return Path(os.fspath(path)).is_relative_to(self._folder)


class Refusing(Disk):
    """From one step on, nothing more can be written."""

    def __init__(self, folder: Path, first: int, number: int) -> None:
        super().__init__(folder)
        self._first, self._number = first, number

    def comes(self, what: str, path: Path) -> None:
        super().comes(what, path)
        is_full = self._number == errno.ENOSPC
        if len(self.steps) <= self._first or (is_full and what in _GIVES_ROOM):
            return
        if what == "sqlite":
            code, words = _SQLITE.get(self._number, _READ_ONLY)
            error = sqlite3.OperationalError(words)
            error.sqlite_errorcode = code
            raise error
        names = None if what in ("write", "sync") else str(path)
        raise OSError(self._number, os.strerror(self._number), names)


class Pictured(Disk):
    """Keeps distinct copies of the folder as a kill at each step would leave it."""

    def __init__(self, folder: Path, pictures: Path) -> None:
        super().__init__(folder)
        self._pictures, self._seen = pictures, set[Any]()

    def comes(self, what: str, path: Path) -> None:
        self._take()
        super().comes(what, path)

    def half(self, path: Path, content: bytes | None = None) -> None:
        self._take({} if content is None else {path: content})

    def _take(self, torn: Mapping[Path, bytes] = MappingProxyType({})) -> None:
        """Copy the folder, without what is only in memory, unless it is unchanged."""
        files = [path for path in sorted(self._folder.rglob("*")) if not path.name.endswith("-shm")]
        seen = tuple((path, torn.get(path) or path.read_bytes()) for path in files if path.is_file())
        if seen in self._seen or not self._folder.is_dir():
            return
        picture = self._pictures / f"{len(self._seen):03}"
        shutil.copytree(self._folder, picture)
        for path, content in torn.items():
            (picture / path.relative_to(self._folder)).write_bytes(content)
        self._seen.add(seen)


@contextmanager
def standing(disk: Disk) -> Iterator[None]:
    """Put the disk between the grader and everything that writes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(io, "open", _opening(disk, io.open))
        for what, name in _CALLS:
            patched.setattr(os, name, _calling(disk, what, getattr(os, name)))
        patched.setattr(os, "fsync", _syncing(disk))
        patched.setattr(sqlite3, "connect", _connecting(disk, sqlite3.connect))
        yield


_CALLS = (
    *(("rename", "replace"), ("rename", "rename"), ("unlink", "unlink")),
    *(("mkdir", "mkdir"), ("truncate", "truncate")),
)


def _calling(disk: Disk, what: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def called(path: Any, *more: Any, **options: Any) -> Any:
        if disk.watches(path):
            disk.comes(what, Path(path))
        return call(path, *more, **options)

    return called


def _syncing(disk: Disk) -> Callable[[int], None]:
    def called(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        if disk.watches(path):
            disk.comes("sync", path)

    return called


class _Raw(io.FileIO):
    """A file on which every write is a step, made in two halves."""

    def __init__(self, disk: Disk, path: Any, mode: str) -> None:
        super().__init__(path, mode)
        self._disk, self._path = disk, Path(path)

    def write(self, data: Any) -> int:
        self._disk.comes("write", self._path)
        content = bytes(data)
        middle = len(content) // 2
        super().write(content[:middle])
        self._disk.half(self._path)
        return middle + (super().write(content[middle:]) or 0)


def _opening(disk: Disk, call: Callable[..., Any]) -> Callable[..., Any]:
    def opened(path: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
        if not set(mode) & set("wax+") or not disk.watches(path):
            return call(path, mode, *more, **options)
        disk.comes("open", Path(path))
        raw = _Raw(disk, path, mode.replace("b", "").replace("t", ""))
        buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        if "b" in mode:
            return buffered
        names = ("buffering", "encoding", "errors", "newline")
        text = {**dict(zip(names, more, strict=False)), **options}
        return io.TextIOWrapper(buffered, line_buffering=text.pop("buffering", -1) == 1, **text)

    return opened


def _connecting(disk: Disk, call: Callable[..., sqlite3.Connection]) -> Callable[..., sqlite3.Connection]:
    def connected(path: Any, **options: Any) -> sqlite3.Connection:
        if disk.watches(path):
            disk.comes("sqlite", Path(path))
            options["factory"] = _watched(disk, path)
        return call(path, **options)

    return connected


def _watched(disk: Disk, path: Any) -> type[sqlite3.Connection]:
    class Connection(sqlite3.Connection):
        """A connection on which every statement that writes is a step, also half done once."""

        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if statement == "pragma synchronous=full":
                statement = "pragma synchronous=off"
            if not statement.startswith(("insert", "update", "create", "pragma journal_mode")):
                return super().execute(statement, *values)
            disk.comes("sqlite", Path(path))
            return self._in_halves(lambda: sqlite3.Connection.execute(self, statement, *values))

        def commit(self) -> None:
            disk.comes("sqlite", Path(path))
            self._in_halves(lambda: sqlite3.Connection.commit(self))

        def _in_halves(self, do: Callable[[], T]) -> T:
            log = Path(f"{path}-wal")
            before = log.stat().st_size if log.exists() else 0
            done = do()
            content = log.read_bytes() if log.exists() else b""
            if len(content) > before:
                disk.half(log, content[: (before + len(content)) // 2])
            return done

    return Connection
