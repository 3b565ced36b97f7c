"""Identify the grader that owns something, safely even when process ids are reused.

An id alone may later name another process, or one in another container that shares the engine, the control
groups or a folder with this one.
"""

from __future__ import annotations

import contextlib
import os
import socket
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

_PARTS: Final = 4
"""The number of parts of an identity."""


@lru_cache(maxsize=1)
def identity(process: int) -> str:
    """Return a unique name of a process: its namespace, the boot, its id, and its start time."""
    return "-".join((_space(), _boot(), str(process), _started(process)))


def is_over(identity: str) -> bool:
    """Return whether an identity names a process of this machine that no longer runs."""
    parts = identity.split("-")
    if len(parts) != _PARTS or parts[0] != _space():
        return False
    _, boot, process, started = parts
    return boot != _boot() or not process.isdigit() or _started(int(process)) != started


def own_name(what: str) -> str:
    """Return a prefix for names of this process's things; the rest must not contain a hyphen."""
    return f"{what}-{identity(os.getpid())}-"


def belongs_to_ended(name: str) -> bool:
    """Return whether a name with such a prefix belongs to a process that no longer runs."""
    return is_over("-".join(name.split("-")[-_PARTS - 1 : -1]))


def _space() -> str:
    """Return a digest of the machine and its process id namespace."""
    space = ""
    with contextlib.suppress(OSError):
        space = str(Path("/proc/self/ns/pid").readlink())
    return _short(f"{socket.gethostname()}/{space}")


def _boot() -> str:
    with contextlib.suppress(OSError):
        return _short(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    return ""


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def _started(process: int) -> str:
    """Return a process's start time in ticks since boot; "" if there is no such process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    return ""
