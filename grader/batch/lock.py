"""One grader at a time in a folder of results; the lock ends with the process, however that ends."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from grader.disk import writing
from grader.errors import InputError

_FILE: Final = ".lock"


class Busy(InputError):  # noqa: N818 - named after what was found
    """Another grader is at work in the folder, and may be done soon."""


@contextmanager
def hold(out: Path) -> Iterator[None]:
    """Keep others out. Raises InputError where another grader is at work, or DiskError."""
    path = out / _FILE
    with writing(path):
        file = path.open("a")
    with file:
        with writing(path):
            _lock(file, out)
        yield


def _lock(file: IO[str], out: Path) -> None:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        raise Busy("another grader is at work in this folder: wait, or name another", path=out) from None
