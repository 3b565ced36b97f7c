"""Reading a file that may be none: what is no regular file is neither read nor waited for."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from grader.errors import Unreached
from grader.intake.notes import shown

NOT_REGULAR = "it is no regular file"
LINK = "it is a link, and links are not followed"

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
"""A pipe without a writer does not block."""


def read_regular(path: Path, most: int, *, follow: bool) -> bytes:
    """Return the first bytes of a regular file. Raises OSError, whose ``strerror`` says why not."""
    descriptor = os.open(path, _FLAGS | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, NOT_REGULAR)
        return file.read(most)


def kind_of(path: Path) -> int:
    """Return the kind of what stands at a path, links followed; 0 for nothing, or where it cannot be told."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except (OSError, ValueError):
        return 0


def is_folder(path: Path) -> bool:
    """Tell whether a folder stands there; what cannot be told is none."""
    return kind_of(path) == stat.S_IFDIR


def is_file(path: Path) -> bool:
    """Tell whether a regular file stands there; what cannot be told is none."""
    return kind_of(path) == stat.S_IFREG


def unreached(name: str, error: OSError) -> Unreached:
    """Say that the machine does not give what is called so."""
    return Unreached(f"{shown(name)} cannot be read: {error.strerror}")
