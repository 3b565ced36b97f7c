"""A lock on a folder of results, for one grader at a time; it ends with the process, however that ends."""

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
    """Another grader is working in the folder, and may finish soon."""


@contextmanager
def hold(out: Path) -> Iterator[None]:
    """Lock a folder of results. Raises Busy if another grader is working in it, and DiskError."""
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
        raise Busy(
            "another grader is working in this folder: wait until it is done, or name another folder",
            path=out,
        ) from None
