"""Reading a file that may be none: what is no regular file is neither read nor waited for."""

from __future__ import annotations

import os
import stat
from pathlib import Path

NOT_REGULAR = "it is no regular file"

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
"""A pipe without a writer does not block."""


def read_regular(path: Path, most: int, *, follow: bool) -> bytes:
    """Return the first bytes of a regular file. Raises OSError, whose ``strerror`` says why not."""
    descriptor = os.open(path, _FLAGS | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, NOT_REGULAR)
        return file.read(most)
