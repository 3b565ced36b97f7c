"""Run a student's code with room for deep recursion and, if asked, a time limit.

The call runs in a thread of its own, because a thread can have a larger stack than the main program. A call
that takes too long, or that Ctrl-C interrupts, is stopped by an exception raised in that thread: this ends
any loop written in Python, but not one inside a function written in C.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from traceback import FrameSummary, StackSummary, walk_stack
from typing import Generic, TypeVar

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

T = TypeVar("T")

RECURSION_LIMIT = 100_000
STACK_BYTES = 512 * 1024 * 1024
"""Address space; only the used part takes memory."""
MEMORY_BYTES = 4 * 1024**3
"""How much memory a call may take beyond what the process has when it begins, if the system can limit that.
"""
_POLL_SECONDS = 0.05
_AT_MOST = 6
"""How many times its limit in seconds a call may take by the wall clock."""
_LONGEST_STEP_SECONDS = 1.0
_FRAMES = 100
"""How many frames of the stack are examined, from the innermost."""


class Awake:
    """A clock of the seconds in which the process was not stopped, as by Ctrl-Z; it must be read often."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._last = time.monotonic(), time.process_time()

    def __call__(self) -> float:
        """Return the seconds.

        A long step counts only as far as processor time was used, since a stopped process uses none.
        """
        now = time.monotonic(), time.process_time()
        passed, used = (later - before for later, before in zip(now, self._last, strict=True))
        self._seconds += min(passed, max(used, _LONGEST_STEP_SECONDS))
        self._last = now
        return self._seconds


class Stopped(Exception):  # noqa: N818 - named after what happened
    """The call did not end; ``trace`` shows where it was, the outermost frame first."""

    def __init__(self, trace: list[FrameSummary]) -> None:
        self.trace = trace
        super().__init__("stopped")


class TookTooLong(Stopped):
    """The time was up."""


class Interrupted(Stopped):
    """Ctrl-C was pressed."""


class _EndThread(BaseException):
    """Raised in the thread to end it; a student's ``except Exception`` does not catch it."""


class _Job(Generic[T]):
    """A call in a thread, and its result."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self.results: list[T] = []
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        with suppress(_EndThread):  # it may be raised once more while the call is being left
            try:
                self.results.append(self._function())
            except BaseException as error:  # noqa: BLE001 - carried over to the caller's thread, SystemExit too
                self.error = error

    def stop(self) -> list[FrameSummary]:
        """End the call, and return where it was."""
        trace: list[FrameSummary] = []
        identity = self.thread.ident
        if identity is not None and (frame := sys._current_frames().get(identity)) is not None:
            trace = StackSummary.extract(walk_stack(frame), limit=_FRAMES)[::-1]
        deadline = time.monotonic() + 1
        while self.thread.is_alive() and time.monotonic() < deadline:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(identity or 0), ctypes.py_object(_EndThread)
            )
            self.thread.join(_POLL_SECONDS)
        return trace


def run(
    function: Callable[[], T], *, seconds: float | None = None, clock: Callable[[], float] | None = None
) -> T:
    """Call the function and return its result; its exceptions are passed on.

    Raises TookTooLong after ``seconds`` of that clock, which may stand still while the machine is busy with
    other things (but after six times as many at the latest), and Interrupted when Ctrl-C is pressed. Time in
    which the process is stopped never counts.
    """
    job = _Job(function)
    previous = sys.getrecursionlimit()
    sys.setrecursionlimit(max(previous, RECURSION_LIMIT))
    try:
        with _bounded_memory():
            _start(job.thread)
            _wait(job, seconds, clock)
    except KeyboardInterrupt:  # may come while the thread is being started, and already runs
        raise Interrupted(job.stop()) from None
    finally:
        sys.setrecursionlimit(previous)
    if job.error is not None:
        raise job.error
    return job.results[0]


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Limit memory, so that code which takes too much gets a MemoryError before the machine stalls."""
    if resource is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = _address_space() + MEMORY_BYTES
    bounds = [most, *(limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(bounds), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int:
    """Return the size of the process's address space in bytes, if the system reports it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _start(thread: threading.Thread) -> None:
    """Start the thread with the largest stack that the system grants."""
    size = STACK_BYTES
    previous = threading.stack_size()
    try:
        while True:
            try:
                threading.stack_size(size)
                return thread.start()
            except (ValueError, RuntimeError):
                if size <= 1024 * 1024:
                    raise
                size //= 2
    finally:
        threading.stack_size(previous)


def _wait(job: _Job[T], seconds: float | None, clock: Callable[[], float] | None) -> None:
    awake = Awake()
    clock = clock or awake
    began = clock()
    # waiting in short steps, since some systems do not let Ctrl-C through to a long wait
    while job.thread.is_alive():
        if seconds is not None and (clock() - began > seconds or awake() > _AT_MOST * seconds):
            raise TookTooLong(job.stop())
        job.thread.join(_POLL_SECONDS)
