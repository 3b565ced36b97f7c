"""A file that is there whole or not at all: it is written beside, and takes its name when it is finished."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NAME_CHARACTERS = 40
"""How much of its name a file has that is not finished: file systems take 255 bytes."""


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A name to write a file under, which is ``path`` when it is finished.

    What is no regular file, such as a pipe, is written as it is. Raises OSError, and ``path`` is then what it
    was.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    target = Path(os.path.realpath(path))
    partial = beside(target)
    try:
        yield partial
        sync(partial)
        partial.replace(target)
    finally:
        remove(partial)


def beside(path: Path) -> Path:
    """The name of a file that is not finished: hidden, and of this process alone."""
    return path.with_name(f".{path.name[:NAME_CHARACTERS]}.{os.getpid()}")


def sync(path: Path) -> None:
    """Have the bytes of a file on the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Take away what was not finished, if it is there."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
