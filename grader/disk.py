"""Atomic writes, locks and folders of any depth, and errors of the disk that say what to do.

Content is written to a temporary file in the same folder, which is renamed when all of it is on the disk. A
grader that is killed in between leaves such a file behind; the next write of the same file deletes it.
"""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from grader.errors import DiskError, GraderError, InputError
from lab.atomic_file import NAME_CHARACTERS, remove, sync, temporary_path
from lab.atomic_file import atomic_write as whole_or_not

if TYPE_CHECKING:
    import sqlite3

_FULL: Final = "make room on that disk, then give the same command again"
_ADVICE: Final[Mapping[int, str]] = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), _FULL),
    errno.EROFS: "this disk can only be read: name a place on another, or have it mounted for writing",
    **dict.fromkeys((errno.EACCES, errno.EPERM), "have its permissions changed, or name another place"),
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), "see whether all folders of that name are there"),
    **dict.fromkeys((errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY), "move away what has this name"),
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EIO: "the disk is full, or failing: look after it, then give the same command again",
    **dict.fromkeys((errno.EMFILE, errno.ENFILE), "too many files are open: grade with fewer --jobs"),
}
_WRITING: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


def disk_error(error: OSError, path: Path | str | None = None, *, doing: str = "") -> DiskError:
    """Return an error that says what failed, with which file, why, and what to do next.

    ``path`` is the file that the user knows, where the error names none, or only a temporary one.
    """
    name = path if path is not None else error.filename
    doing = doing or ("write" if error.errno in _WRITING else "use")
    where = "a file or connection of this machine" if name is None else str(name)
    reason = error.strerror or str(error) or type(error).__name__
    advice = _ADVICE.get(error.errno or 0, "see to that, then give the same command again")
    return DiskError(f"cannot {doing} {where}: {reason}; {advice}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise every OSError in the block as a DiskError about this file or folder."""
    try:
        yield
    except OSError as error:
        raise disk_error(error, path, doing="write") from error


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield a temporary name to write to, which becomes ``path`` at the end of the block.

    Raises DiskError, and leaves ``path`` as it was.
    """
    try:
        with writing(path), whole_or_not(path) as partial:
            yield partial
    finally:
        _sweep(path)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely, or leave it as it was. Raises DiskError."""
    with whole(path) as partial:
        partial.write_bytes(content)


def write_together(folder: Path, files: Mapping[str, bytes], *, gone: Iterable[str] = ()) -> None:
    """Write files of a folder in this order, each atomically, and none before there is room for all.

    The files named by ``gone`` that are not among them are deleted. Raises DiskError.
    """
    partials = {folder / name: temporary_path(folder / name) for name in files}
    try:
        for (path, partial), content in zip(partials.items(), files.values(), strict=True):
            with writing(path):
                partial.write_bytes(content)
                sync(partial)
        for path, partial in partials.items():
            with writing(path):
                partial.replace(path)
        for path in (folder / name for name in gone if name not in files):
            with writing(path):
                path.unlink(missing_ok=True)
    finally:
        for path, partial in partials.items():
            remove(partial)
            _sweep(path)


def _sweep(path: Path) -> None:
    """Delete temporary files that killed graders have left of this file."""
    start = f".{path.name[:NAME_CHARACTERS]}."
    with suppress(OSError):
        for left in path.parent.iterdir():
            number = left.name.removeprefix(start)
            if left.name.startswith(start) and number.isdecimal() and not psutil.pid_exists(int(number)):
                remove(left)


_FILE: Final = ".lock"


class Busy(InputError):  # noqa: N818 - named after what was found
    """Another grader is working in the folder, and may finish soon."""


@contextmanager
def hold(out: Path) -> Iterator[None]:
    """Lock a folder of results. Raises Busy if another grader is working in it, and DiskError."""
    path = out / _FILE
    with writing(path):
        file = path.open("a")
    with file:
        with writing(path):
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):
                raise Busy(
                    "another grader is working in this folder: wait until it is done, or name another folder",
                    path=out,
                ) from None
        yield


def is_held(out: Path) -> bool:
    """Tell whether another process has locked a folder; never asked by a process that holds it itself."""
    try:
        with (out / _FILE).open("a") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return True
    except OSError:
        return False
    return False


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait until nobody else, here or elsewhere, is in a block of the same file. Raises DiskError."""
    with writing(path):
        file = path.open("a")
    with file:
        with writing(path):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def files_below(folder: Path) -> Iterator[Path]:
    """Yield all in a folder, and in its folders, that is no folder, however deep; links are not followed.

    What cannot be listed is left out.
    """
    folders = [folder]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as found:
            for each in found:
                if each.is_dir(follow_symlinks=False):
                    folders.append(Path(each.path))
                elif not each.is_dir():
                    yield Path(each.path)


def remove_tree(folder: Path | str) -> None:
    """Remove a folder with all in it, as far as that can be done, whatever a program has made there.

    Folders in folders are moved up first: no path gets too long, and no call too deep.
    """
    top, numbers = Path(folder), itertools.count()
    waiting = [top]
    while waiting:
        inner = waiting.pop()
        with suppress(OSError):
            inner.chmod(0o700)
        with suppress(OSError), os.scandir(inner) as found:
            for each in [*found]:
                with suppress(OSError):
                    if not each.is_dir(follow_symlinks=False):
                        Path(each.path).unlink()
                        continue
                    Path(each.path).chmod(0o700)
                    above = next(path for n in numbers if not os.path.lexists(path := top / f".{n}"))
                    waiting.append(Path(each.path).rename(above))
        if inner != top:
            with suppress(OSError):
                inner.rmdir()
    with suppress(OSError):
        top.rmdir()


def sqlite_error(error: sqlite3.Error, path: Path, what: str) -> GraderError | None:
    """Return the error for a lock or a failing disk; None if the content of ``what`` is at fault."""
    import sqlite3  # only those who get such an error have it

    refused = {
        sqlite3.SQLITE_FULL: errno.ENOSPC,
        sqlite3.SQLITE_READONLY: errno.EROFS,
        sqlite3.SQLITE_PERM: errno.EACCES,
        sqlite3.SQLITE_IOERR: errno.EIO,
        sqlite3.SQLITE_CANTOPEN: errno.EROFS if _is_read_only(path.parent) else errno.EACCES,
    }
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return InputError(
            f"another program holds {what}: end it, then give the same command again", path=path
        )
    if code not in refused:
        return None
    return disk_error(OSError(refused[code], os.strerror(refused[code])), path, doing="write")


def _is_read_only(folder: Path) -> bool:
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False
