"""Which grader something belongs to, told so that it stays right when numbers are used again.

A number alone names another process later, or in another container, which may share the engine, the control
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


@lru_cache(maxsize=1)
def identity(process: int) -> str:
    """Name a process for good: where its number holds, the boot, the number, and when it started."""
    return "-".join((_space(), _boot(), str(process), _started(process)))


def is_over(identity: str) -> bool:
    """Tell whether it names a process of this machine that is no more; of others nobody can tell."""
    parts = identity.split("-")
    if len(parts) != _PARTS or parts[0] != _space():
        return False
    _, boot, process, started = parts
    return boot != _boot() or not process.isdigit() or _started(int(process)) != started


def own_name(what: str) -> str:
    """How the name of something of this process begins; what is added has no hyphen."""
    return f"{what}-{identity(os.getpid())}-"


def is_left(name: str) -> bool:
    """Tell whether a name that began so is of a process that is no more."""
    return is_over("-".join(name.split("-")[-_PARTS - 1 : -1]))


def _space() -> str:
    """The machine and the namespace in which processes are numbered."""
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
    """When it started, in ticks since the boot; "" where there is no such process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    return ""
