"""What a child of the runner may use, set by itself before it touches the submission."""

from __future__ import annotations

import _thread
import resource
import sys
from typing import Any, Final

MIB: Final = 1024 * 1024

RECURSION_LIMIT: Final = 40_000
"""A serpentine of 60 x 60 cells is 3,600 levels deep: room for eleven frames a level."""
STACK_BYTES: Final = 384 * MIB
"""What RECURSION_LIMIT levels of the hungriest recursion through C may need; only what is used
costs memory. The recursion must hit the limit, never the end of the stack."""
THREAD_STACK_BYTES: Final = 64 * MIB
"""The stack of the threads that the student's code starts."""
_HEADROOM: Final = 64 * MIB
"""Kept from a child, so that its MemoryError comes before the kernel kills in the box."""
_OPEN_FILES: Final = 64
_GUESS: Final = 256 * MIB


def limit(limits: dict[str, Any]) -> None:
    """Set the limits of this process, for itself and for all that it starts."""
    memory = max(limits["memory_bytes"] // 2, limits["memory_bytes"] - _HEADROOM)
    _lower(resource.RLIMIT_AS, _mapped() + STACK_BYTES + memory)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, limits["disk_bytes"])
    _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _thread.stack_size(STACK_BYTES)
    sys.setrecursionlimit(RECURSION_LIMIT)
    sys.setrecursionlimit = _keep_recursion_limit


def limit_cpu(seconds: float) -> None:
    """Let the kernel end this process when it has used so many CPU seconds in all.

    This is for code that never lets another thread run; it ends with SIGXCPU.
    """
    _lower(resource.RLIMIT_CPU, int(seconds) + 1, soft_only=True)


def _keep_recursion_limit(limit: int, /) -> None:
    """Accept a recursion limit and keep ours: a higher one ends in a crash, a lower one in an
    error that is none."""
    if type(limit) is not int:
        raise TypeError(f"expected a whole number, got {limit!r}")
    if limit < 1:
        raise ValueError("recursion limit must be greater or equal than 1")


def _lower(kind: int, value: int, *, soft_only: bool = False) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(kind, (value, hard if soft_only else value))
    except (ValueError, OSError):  # RLIMIT_AS on macOS
        return


def _mapped() -> int:
    """The bytes of address space that this process has by now."""
    try:
        with open("/proc/self/statm", "rb") as statm:  # noqa: PTH123 - pathlib is slow to load
            return int(statm.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return _GUESS
