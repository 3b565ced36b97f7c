"""Folders that are made once and then only read: whole or not there, whoever else makes them.

What boxes read lies in memory where it can. The kernel keeps the answers of a file system on a disk, to
whoever asked: by the time that an answer takes, a box could tell which files and which words, names of
nothing, were asked for in the box before. A file system in memory is always as quick.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from grader.errors import SandboxError
from grader.sandbox.owner import is_left, own_name
from lab.home import user_folder

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - whose folder it is, is looked at
_ROOM_BYTES: Final = 256 * 1024 * 1024
"""What has to be free in memory, for Python in two versions."""


def cached(name: str, build: Callable[[Path], None]) -> Path:
    """Return the folder ``name`` of the cache, filled by ``build`` where it is not there yet."""
    target = cache_folder() / name
    if target.is_dir():
        return target
    _sweep(target.parent)
    work = Path(tempfile.mkdtemp(prefix=own_name(f".{name}"), dir=target.parent))
    try:
        build(work)
        _make_read_only(work)
        _move(work, target)
    except OSError as error:
        raise SandboxError(f"cannot fill {target}: {error}; free some space there or remove it") from error
    finally:
        if work.is_dir():
            remove(work)
    return target


def _sweep(cache: Path) -> None:
    """Take away what graders that were killed have not finished."""
    for work in cache.glob(".*-*"):
        if is_left(work.name):
            remove(work)


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, though it is read-only."""
    for path, _, _ in os.walk(folder):
        Path(path).chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def in_memory() -> bool:
    """Whether the folders lie in memory."""
    return cache_folder().parent == _MEMORY


def cache_folder() -> Path:
    """The first place that can be written and belongs to nobody else.

    Root's is one that others can read: its boxes run under users of their own. It is in memory for root
    only: what other users have there is removed when they log out.
    """
    own = user_folder("XDG_CACHE_HOME", ".cache")
    places = [] if own is None else [own]
    if os.geteuid() == 0:
        places.insert(0, Path("/var/cache"))
    if os.geteuid() == 0 and _holds_programs(_MEMORY):
        places.insert(0, _MEMORY)
    places.append(Path(tempfile.gettempdir()))
    for place in places:
        folder = place / (
            f"maze-grader-{os.geteuid()}" if place == Path(tempfile.gettempdir()) else "maze-grader"
        )
        try:
            folder.mkdir(parents=True)
            folder.chmod(0o755)  # whatever the umask is
        except FileExistsError:
            pass
        except OSError:
            continue
        about = folder.lstat()
        ours = stat.S_ISDIR(about.st_mode) and about.st_uid == os.geteuid() and not about.st_mode & 0o022
        if ours and os.access(folder, os.W_OK):
            return folder
    raise SandboxError(f"no folder to keep the boxes' files in: expected {places[0]} to be writable")


def _holds_programs(memory: Path) -> bool:
    """Whether it is in memory, programs run from there, and there is room, or what we need."""
    try:
        mounted = [line.split()[1:3] for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
        about = os.statvfs(memory)
    except OSError:
        return False
    room = (memory / "maze-grader").is_dir() or about.f_bavail * about.f_frsize >= _ROOM_BYTES
    return [str(memory), "tmpfs"] in mounted and not about.f_flag & os.ST_NOEXEC and room


def _make_read_only(folder: Path) -> None:
    for path, _, files in os.walk(folder):
        for name in files:
            file = Path(path, name)
            file.chmod(0o555 if file.stat().st_mode & 0o100 else 0o444)
        Path(path).chmod(0o755)


def _move(work: Path, target: Path) -> None:
    """Give the finished folder its name; another process may have been quicker, with the same."""
    try:
        work.rename(target)
    except OSError:
        if not target.is_dir():
            raise
