"""Folders that are built once and then only read; they appear complete or not at all.

Several processes may build the same one. What boxes read is in memory if possible: the kernel caches what was
read from a disk, so by the time of an access a box could tell which files, or names of missing files, an
earlier box asked for: a hidden channel. A file system in memory is always equally fast.
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
from grader.sandbox.owner import belongs_to_ended, own_name
from lab.user_folders import user_folder

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - its owner is checked
_ROOM_BYTES: Final = 256 * 1024 * 1024
"""The memory that has to be free, enough for two versions of Python."""


def cached_folder(name: str, build: Callable[[Path], None]) -> Path:
    """Return the cache's folder of this name, calling ``build`` if it does not exist yet."""
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
    """Remove unfinished folders that killed graders left."""
    for work in cache.glob(".*-*"):
        if belongs_to_ended(work.name):
            remove(work)


def remove(folder: Path) -> None:
    """Remove a read-only folder with its contents."""
    for path, _, _ in os.walk(folder):
        Path(path).chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def in_memory() -> bool:
    """Return whether the cache is in memory."""
    return cache_folder().parent == _MEMORY


def cache_folder() -> Path:
    """Return the first folder that is writable and belongs to nobody else.

    Root's can be read by others, since its boxes run as users of their own. Only root's is in memory: files
    that other users keep there are removed when they log out.
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
            folder.chmod(0o755)  # regardless of the umask
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
    """Return whether the folder is in memory and large enough, and allows programs to run from it."""
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
    """Rename the finished folder, unless another process has built the same one first."""
    try:
        work.rename(target)
    except OSError:
        if not target.is_dir():
            raise
