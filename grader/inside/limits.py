"""The limits of a child: memory, processes, files, and what is left over of them.

Want of memory: how it shows in an exception, and why no submission catches it.

Theory of operation. Where the memory ends is luck: of the version of Python, of what was freed before. What
a submission makes of a MemoryError that it catches is luck as well. So ``turns.py`` puts a call of
``RELEASE`` first in every handler that would catch one, and in every ``finally``: it raises the error again,
until that has left the submission. What is left to luck is a MemoryError that a library catches.

The runner's hold on the processes that it starts: none of a round may outlive it.

In a process namespace of its own (docker, bubblewrap) the runner is process 1: it gets no signal from
inside that it has not asked for, everything that it may signal is the submission's, and orphans come
to it. Without one the runner is made the parent of all orphans among its descendants,
so that a double fork does not get away.

The scratch folder between two processes: empty, and as it was, or the box is given up.

Theory of operation. What one process leaves there the next could read: files, folders that are locked or
nested deeper than a path may be long, and what the folder itself carries, its mode, its attributes and its
times. Nobody else lives in the box when this is done, so a walk by single names, down and up again, meets
what is there and nothing else.
"""

from __future__ import annotations

import _thread
import mmap
import os
import resource
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from errno import ENOMEM
from math import ceil
from time import sleep
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


RELEASE: Final = "__release__"
"""The name among the builtins of what raises want of memory again."""
_CHAIN: Final = 100
"""An exception is followed to its causes at most 100 times: they may form a circle."""
_WITHOUT_EXCEPTION: Final = ("without exception set", "without setting an exception")
"""How Python complains of its own code, where it got no memory and did not say so."""
_context = vars(BaseException)["__context__"].__get__


def is_want_of_memory(error: BaseException | None) -> bool:
    """Tell whether memory ran out, for an object or a mapping, or the error was caused by that."""
    return any(map(_is_direct, _chain(error)))


def release() -> None:
    """Raise the exception that is being handled again, where it shows want of memory."""
    if _is_direct(sys.exc_info()[1]):
        raise


def _is_direct(error: BaseException | None) -> bool:
    kind = type(error)
    if kind is OSError:
        return isinstance(error, OSError) and error.errno == ENOMEM
    if kind is SystemError:
        return str(error).endswith(_WITHOUT_EXCEPTION)
    return isinstance(error, MemoryError)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(_CHAIN):
        if error is None:
            return
        yield error
        error = _context(error)


_PR_SET_DUMPABLE: Final = 4
_PR_SET_CHILD_SUBREAPER: Final = 36
_M_ARENA_MAX: Final = -8
_TRIES: Final = 200
"""A tree is killed and reaped at most 200 times, until nothing is left of it."""
_PAUSE_SECONDS: Final = 0.0002
_LONGEST_PAUSE_SECONDS: Final = 0.01
"""The pause between two tries is 0.2 ms at first, twice as long each time, and 10 ms at most."""


def prepare_self(*, adopt_orphans: bool) -> None:
    """Keep other processes of the same user out of this one's memory, where the system can.

    No signal gets a handler: Python's own for SIGINT would let that one through to process 1.
    Threads are made to share one heap: each would set aside 64 MiB of address space for its own,
    and a child's is limited.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        import ctypes

        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
        if adopt_orphans:
            libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.mallopt(_M_ARENA_MAX, 1)
    except (ImportError, OSError, AttributeError):  # not Linux, or not glibc
        return


def end_tree(child: int, *, own_namespace: bool) -> None:
    """Kill and reap what is left of a round; ``child`` led its process group."""
    _signal_group(child)
    pause = _PAUSE_SECONDS
    for _ in range(_TRIES):
        _reap()
        if not (_kill_all() if own_namespace else _kill_children()):
            return
        sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)


def _signal_group(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        return


def _kill_all() -> bool:
    """Signal every process but this one and process 1; tell whether there was any."""
    try:
        os.kill(-1, signal.SIGKILL)
    except OSError:
        return False
    return True


def _kill_children() -> bool:
    """Signal all children, orphans that were adopted among them; tell whether there was any."""
    me = os.getpid()
    try:
        with open(f"/proc/{me}/task/{me}/children", "rb") as children:  # noqa: PTH123
            pids = [int(pid) for pid in children.read().split()]
    except OSError:
        return False
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue
    return bool(pids)


def _reap() -> None:
    """Take the exit status of every process that has ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return


_OWN: Final = 0o700


class Scratch:
    """One folder that the processes of a submission may write to."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._mode, self._attributes = _mode(folder), _attributes(folder)

    def clear(self) -> bool:
        """Empty the folder and restore it as it was; tell whether that worked."""
        with suppress(OSError):
            os.chmod(self._folder, _OWN)  # noqa: PTH101 - pathlib is slow to load
            for name in _attributes(self._folder) - self._attributes:
                os.removexattr(self._folder, name)
            os.chdir(self._folder)
            os.mkdir("last")  # noqa: PTH102 - the folder's time is that of this moment, whatever was written
        with suppress(OSError):
            _empty_here()
            os.chdir(self._folder)
            os.chmod(self._folder, self._mode)  # noqa: PTH101
        return self._is_as_it_was()

    def _is_as_it_was(self) -> bool:
        try:
            is_empty = not os.listdir(self._folder)  # noqa: PTH208
            return (
                is_empty
                and _mode(self._folder) == self._mode
                and _attributes(self._folder) == self._attributes
            )
        except OSError:
            return False


def _empty_here() -> None:
    """Remove all that lies in the current folder."""
    ways: list[tuple[str, list[str]]] = [("", _folders_left())]
    while ways:
        name, folders = ways[-1]
        if folders:
            inner = folders.pop()
            os.chmod(inner, _OWN)  # noqa: PTH101
            os.chdir(inner)
            ways.append((inner, _folders_left()))
        else:
            ways.pop()
            if ways:
                os.chdir("..")
                os.rmdir(name)  # noqa: PTH106


def _folders_left() -> list[str]:
    """Remove the files in the current folder, and return its folders."""
    folders = []
    for name in os.listdir():  # noqa: PTH208
        if stat.S_ISDIR(os.lstat(name).st_mode):
            folders.append(name)
        else:
            os.unlink(name)  # noqa: PTH108
    return folders


def _mode(folder: str) -> int:
    return stat.S_IMODE(os.lstat(folder).st_mode)


def _attributes(folder: str) -> frozenset[str]:
    """Return the names of the extended attributes, access control lists among them."""
    try:
        return frozenset(os.listxattr(folder))
    except (AttributeError, OSError):  # not Linux, or a file system without such
        return frozenset()
