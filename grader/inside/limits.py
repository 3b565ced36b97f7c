"""What a child of the runner may use: it sets these limits before it touches the submission."""

from __future__ import annotations

import _thread
import mmap
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from typing import Any, Final

MIB: Final = 1024 * 1024

RECURSION_LIMIT: Final = 40_000
"""No call gets more nested frames than this, whatever its size: the stack would not carry them. Python 3.12
has a far lower bound of its own for recursion through C (a key of ``sorted``, ``next`` of a generator)."""
STACK_BYTES: Final = 384 * MIB
"""What RECURSION_LIMIT levels of the hungriest recursion through C may need; only what is used
costs memory. The recursion must hit the limit, never the end of the stack."""
THREAD_STACK_BYTES: Final = 64 * MIB
"""The stack of the threads that the student's code starts, where it asks for no other."""
LARGEST_THREAD_STACK_BYTES: Final = 128 * MIB
"""The most that a thread gets which asks for more: 35 KiB a level of a serpentine of 60 x 60 cells."""
_RESERVE: Final = 3 * LARGEST_THREAD_STACK_BYTES
"""Address space for large stacks, on top of the memory: a thread may start before those of the last
two calls are gone."""
_HEADROOM: Final = 64 * MIB
"""Kept from a child, so that its MemoryError comes before the kernel kills in the box."""
_OPEN_FILES: Final = 64
"""A child has at most 64 files open."""
_SIGNALS: Final = 64
"""A child has at most 64 signals and timers waiting: all boxes may have one user, who is counted by them."""
_PYTHONS_OWN_LIMIT: Final = 1000
_MAX_MAPPED_BYTES: Final = 1024 * MIB


def limit(limits: dict[str, Any]) -> None:
    """Set the limits of this process, for itself and for all that it starts."""
    memory = max(limits["memory_bytes"] // 2, limits["memory_bytes"] - _HEADROOM)
    _lower(resource.RLIMIT_AS, _mapped() + STACK_BYTES + memory, reserve=_RESERVE)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, limits["disk_bytes"])
    _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)
    if hasattr(resource, "RLIMIT_SIGPENDING"):
        _lower(resource.RLIMIT_SIGPENDING, _SIGNALS)
    _thread.stack_size(STACK_BYTES)


def limit_depth(set_limit: Callable[[int], None] = sys.setrecursionlimit) -> Callable[[int], None]:
    """Return a function that limits how many frames may be nested, from its call on.

    A limit that the submission sets is accepted. One below Python's own is meant, and kept; for any other,
    ours stays: a higher one could end in a crash, and whoever raises the limit on another machine does not
    ask for an error here.
    """
    most = RECURSION_LIMIT

    def limit_frames(frames: int) -> None:
        set_limit(min(frames, most))

    def set_recursion_limit(limit: int, /) -> None:
        nonlocal most
        if type(limit) is not int:
            raise TypeError(f"expected a whole number, got {limit!r}")
        if limit < 1:
            raise ValueError("recursion limit must be greater or equal than 1")
        if limit < _PYTHONS_OWN_LIMIT:
            set_limit(limit)
            most = limit

    sys.setrecursionlimit = set_recursion_limit
    return limit_frames


def limit_stacks(set_size: Callable[[int], int] = _thread.stack_size) -> None:
    """Give threads that are started from now on the stack they ask for, as far as recursion can need it.

    A reserved stack takes no memory yet: whoever asks for a large one gets address space on top.
    """
    asked = 0

    def stack_size(size: int = 0, /) -> int:
        nonlocal asked
        set_size(min(size, LARGEST_THREAD_STACK_BYTES) or THREAD_STACK_BYTES)
        if size > THREAD_STACK_BYTES:
            _use_the_reserve()
        before, asked = asked, size
        return before

    set_size(THREAD_STACK_BYTES)
    _thread.stack_size = stack_size
    with suppress(KeyError):  # where it is not loaded yet, it will have it from there
        vars(sys.modules["threading"])["stack_size"] = stack_size


def limit_cpu(seconds: float, before: int = 0) -> int:
    """Let the kernel end this process once it has used ``seconds`` of CPU time in all.

    This is for code that never lets another thread run; it ends with SIGXCPU. The kernel counts whole
    seconds: return their number, and do nothing where it equals ``before``.
    """
    whole = ceil(seconds)
    if whole != before:
        _lower(resource.RLIMIT_CPU, whole, soft_only=True)
    return whole


def allow_recursion(frames: int, *, set_limit: Callable[[int], None] = sys.setrecursionlimit) -> None:
    """Let this process nest that many more frames, to give its last answer."""
    set_limit(sys.getrecursionlimit() + frames)


def _use_the_reserve() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(ValueError, OSError):  # macOS
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _lower(kind: int, value: int, *, reserve: int = 0, soft_only: bool = False) -> None:
    """Lower a limit; leave it possible to raise it by the reserve, or with ``soft_only`` as far as before."""
    _, hard = resource.getrlimit(kind)
    highest = hard if soft_only else value + reserve
    if hard != resource.RLIM_INFINITY:
        value, highest = min(value, hard), min(highest, hard)
    try:
        resource.setrlimit(kind, (value, highest))
    except (ValueError, OSError):  # RLIMIT_AS on macOS
        return


def _mapped() -> int:
    """Return how many bytes of address space this process has mapped by now.

    They are found by trying, since a box may have no /proc: under a limit below that size no page can be
    mapped.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    low, high = 0, _MAX_MAPPED_BYTES
    try:
        while high - low > MIB:
            middle = (low + high) // 2
            resource.setrlimit(resource.RLIMIT_AS, (middle, hard))
            low, high = (low, middle) if _can_map() else (middle, high)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    except (ValueError, OSError):  # macOS
        return _MAX_MAPPED_BYTES
    return high


def _can_map() -> bool:
    try:
        mmap.mmap(-1, mmap.PAGESIZE).close()
    except (OSError, MemoryError):
        return False
    return True
