"""Write a file completely or not at all: under a temporary name beside it, then rename it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NAME_CHARACTERS = 40
"""How much of the file's own name a temporary name contains, since file systems allow 255 bytes."""


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to, which is renamed to ``path`` at the end.

    Anything but a regular file, such as a pipe, is written directly. Raises OSError, and ``path`` is then
    unchanged.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    target = Path(os.path.realpath(path))
    partial = temporary_path(target)
    try:
        yield partial
        sync(partial)
        partial.replace(target)
    finally:
        remove(partial)


def temporary_path(path: Path) -> Path:
    """Return the temporary name of an unfinished file: hidden, and unique to this process."""
    return path.with_name(f".{path.name[:NAME_CHARACTERS]}.{os.getpid()}")


def sync(path: Path) -> None:
    """Flush a file to the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Delete an unfinished file, if it exists."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
