"""Run a student's code with room for deep recursion and, if asked, a time limit.

A call that takes too long, or that Ctrl-C interrupts, is stopped by an exception: this ends any loop written
in Python, but not one inside a function written in C. From Python 3.12 on, whose calls need none of the
system's stack, it is raised when the interpreter tells of its events (PEP 669), and the call needs no thread
of its own. Before, and outside the main thread, the call runs in a thread with a larger stack.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from math import ceil
from pathlib import Path
from time import monotonic, process_time
from traceback import FrameSummary, StackSummary, walk_stack
from types import CodeType, FrameType
from typing import Any, Generic, NoReturn, TypeVar

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

try:
    from time import thread_time
except ImportError:  # nor has a browser tab threads
    thread_time = process_time

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
_TURNS, _USUAL_SECONDS, _SLOWEST = 8_000, 0.0008, 20.0
"""So many turns of a loop take no longer than that on a computer that is neither slow nor busy; one on which
they take more than twenty times as long gets no more time than that."""
_MEASURED = 3
"""The loop is run three times, and the least counts: a pause in one of them is not the computer's pace."""
_JUMPS_A_SECOND = 1_000_000
"""Where the only clock is the one on the wall, as in a browser tab, a second is a million jumps of the code
and beginnings of functions: so a slow machine ends nothing that a fast one does not."""
_HAS_WALL_CLOCK_ONLY = sys.platform == "emscripten"
_LONGEST_STEP_SECONDS = 1.0
_SECONDS_MORE = 2
_IN_A_PROCESS_OF_ITS_OWN = "MAZE_CHECK_REPORT"
"""Is in the environment of a process that does nothing but to run public tests for ``maze check``."""
_FRAMES = 100
"""How many frames of the stack are examined, from the innermost."""
_MONITORING: Any = getattr(sys, "monitoring", None)
_TOOL = 4
"""The number by which Python tells of its events; debuggers, profilers and coverage have other numbers."""
_MOST_EVENTS, _LOOK_SECONDS = 1000, 0.02
"""The clock is looked at after so many events at the latest, or about so many seconds."""
_KEPT = (
    *(f"{Path(file).parent}{os.sep}" for file in (__file__, contextmanager.__code__.co_filename)),
    "<frozen",
)
"""The lab's files and Python's own, in which a call is not ended: they put back what was changed for it."""
_set_handler = signal.signal
"""As it is before the student's code gets to see another one (``lab/leftovers.py``)."""
on_look: Callable[[], object] = int
"""Called whenever the clock is looked at from within a call; by default it does nothing."""


class Awake:
    """A clock of the seconds in which the process was not stopped, as by Ctrl-Z; it must be read often."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._last = monotonic(), process_time()

    def __call__(self) -> float:
        """Return the seconds.

        A long step counts only as far as processor time was used, since a stopped process uses none.
        """
        now = monotonic(), process_time()
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


class WaitsForEver(Stopped):
    """It waits for what nobody can bring."""


class Interrupted(Stopped):
    """Ctrl-C was pressed."""


class _EndCall(BaseException):
    """Raised in the call to end it; a student's ``except Exception`` does not catch it."""


class _Stuck(_EndCall):
    """Raised in the call where it waits for ever."""

    def __init__(self, trace: list[FrameSummary]) -> None:
        self.trace = trace
        super().__init__("stuck")


def stuck(frame: FrameType | None, _count: int) -> NoReturn:
    """End the call that waits at this frame for what nobody can bring."""
    raise _Stuck(_trace_of(frame))


class _Job(Generic[T]):
    """A call in a thread, and its result."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self.results: list[T] = []
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        with suppress(_EndCall):  # it may be raised once more while the call is being left
            try:
                self.results.append(self._function())
            except BaseException as error:  # noqa: BLE001 - carried over to the caller's thread, SystemExit too
                self.error = WaitsForEver(error.trace) if isinstance(error, _Stuck) else error

    def stop(self) -> list[FrameSummary]:
        """End the call, and return where it was."""
        identity = self.thread.ident
        trace = _trace_of(sys._current_frames().get(identity or 0))
        deadline = monotonic() + 1
        while self.thread.is_alive() and monotonic() < deadline:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(identity or 0), ctypes.py_object(_EndCall)
            )
            self.thread.join(_POLL_SECONDS)
        return trace


class _Deadline:
    """When a call has to end."""

    def __init__(self, seconds: float | None, clock: Callable[[], float] | None) -> None:
        self._seconds, self._awake = seconds, Awake()
        self._counts_jumps = _HAS_WALL_CLOCK_ONLY and clock is not None
        self._clock = clock or self._awake
        self._began, self._used, self._since = self._clock(), 0.0, 0.0

    def has_passed(self) -> bool:
        """Tell whether the time is up; to be asked often."""
        awake, seconds = self._awake(), self._seconds
        if seconds is None:
            return False
        before, self._used = self._used, self._clock() - self._began
        if self._used < before:  # the clock was begun anew
            self._since = awake
        most = _AT_MOST * seconds
        is_too_long = awake - self._since > most and not self._counts_jumps
        return (is_too_long and awake - self._since > most * slowness()) or self._used > seconds


class _Guard:
    """Ends the call that is made within it, when Python tells it of a jump, or of a function that begins."""

    innermost: _Guard | None = None
    events = 0
    """So many jumps and beginnings of functions were seen in all calls."""

    def __init__(self, deadline: _Deadline) -> None:
        self.stopped: Stopped | None = None
        """Why it had to be ended, however it then ended: code may keep an exception from going on."""
        self._deadline, self._thread, self._outer = deadline, threading.get_ident(), _Guard.innermost
        self._before = signal.getsignal(signal.SIGINT)
        self._left = self._gap = 1
        self._looked = monotonic()
        self._raised = 0

    def __enter__(self) -> _Guard:
        _Guard.innermost = self
        self._listen(self)
        if self._before is signal.default_int_handler:
            _set_handler(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:  # as it is where C has set it
            _set_handler(signal.SIGINT, self._before)
        self._listen(self._outer)
        _Guard.innermost = self._outer

    @staticmethod
    def _listen(guard: _Guard | None) -> None:
        if _MONITORING.get_tool(_TOOL) is None:  # not yet, or the code has freed it
            _MONITORING.use_tool_id(_TOOL, "lab")
        events = _MONITORING.events
        for event in (events.JUMP, events.PY_START):
            _MONITORING.register_callback(_TOOL, event, guard and guard._happened)
        _MONITORING.set_events(_TOOL, (events.JUMP | events.PY_START) if guard else 0)
        if guard is None:
            _MONITORING.free_tool_id(_TOOL)

    def _happened(self, code: CodeType, _: int, __: int = 0) -> object:
        self._left -= 1
        if self._left > 0 or self._thread != threading.get_ident():
            return None
        if code.co_filename.startswith(_KEPT):
            return _MONITORING.DISABLE
        if self._raised:
            self._raise()
        now = monotonic()
        _Guard.events += self._gap
        is_long, self._looked = now - self._looked > _LOOK_SECONDS, now
        self._left = self._gap = max(1, self._gap // 4) if is_long else min(2 * self._gap, _MOST_EVENTS)
        on_look()
        guard: _Guard | None = self
        while guard is not None and not guard._is_over():
            guard = guard._outer
        if guard is not None:
            self._raise()
        return None

    def _is_over(self) -> bool:
        if self.stopped is None and self._deadline.has_passed():
            self.stopped = TookTooLong(_trace_of(sys._getframe(2)))
        return self.stopped is not None

    def _raise(self) -> NoReturn:
        """End the call; again after ever more events, if it goes on."""
        self._raised += 1
        self._left = self._raised
        raise _EndCall

    def _interrupt(self, _: int, frame: FrameType | None) -> NoReturn:
        while frame is not None and frame.f_code.co_filename == __file__:
            frame = frame.f_back
        self.stopped = Interrupted(_trace_of(frame))
        self._left, self._gap = 1, 1
        raise KeyboardInterrupt


def _trace_of(frame: FrameType | None) -> list[FrameSummary]:
    return [*StackSummary.extract(walk_stack(frame), limit=_FRAMES)[::-1]] if frame is not None else []


def used() -> float:
    """Return the seconds of the processor that were used, or jumps in their place where nothing else tells of
    work."""
    return _Guard.events / _JUMPS_A_SECOND if _HAS_WALL_CLOCK_ONLY else process_time()


def slowness() -> float:
    """Measure how many times as long as usual the computer now takes for its work: from 1 to 20.

    What is limited in seconds is to be held against this before it is ended: by itself a clock cannot tell
    work without an end from a computer that is slow, or shared with others.
    """
    if _HAS_WALL_CLOCK_ONLY:
        return 1.0
    took = list[float]()
    for _ in range(_MEASURED):
        began, total = thread_time(), 0
        for turn in range(_TURNS):
            total += turn & 3
        took.append(thread_time() - began)
    return min(max(min(took) / _USUAL_SECONDS, 1.0), _SLOWEST)


def in_words(seconds: float) -> str:
    """Return what a call may take that is given so many seconds of the processor."""
    return f"{seconds * _JUMPS_A_SECOND:,.0f} jumps" if _HAS_WALL_CLOCK_ONLY else f"{seconds:g} s"


def run(
    function: Callable[[], T], *, seconds: float | None = None, clock: Callable[[], float] | None = None
) -> T:
    """Call the function and return its result; its exceptions are passed on.

    Raises WaitsForEver where the call's time says so (``stuck``), Interrupted when Ctrl-C is pressed, and
    TookTooLong after ``seconds`` of that clock, which may stand still while the machine is busy with other
    things (but after six times as many at the latest, more where it is slow), and be begun anew. Time in
    which the process is stopped never counts.
    """
    here = _MONITORING is not None and threading.current_thread() is threading.main_thread()
    previous = sys.getrecursionlimit()
    sys.setrecursionlimit(max(previous, RECURSION_LIMIT))
    try:
        with _bounded_memory(), _unreported_ends():
            return (_run_here if here else _run_in_thread)(function, _Deadline(seconds, clock))
    finally:
        sys.setrecursionlimit(previous)


def _run_here(function: Callable[[], T], deadline: _Deadline) -> T:
    guard = _Guard(deadline)
    try:
        with guard:
            result = function()
    except _Stuck as found:
        raise WaitsForEver(found.trace) from None
    except (_EndCall, KeyboardInterrupt):
        if guard.stopped is None:
            raise
    if guard.stopped is not None:
        raise guard.stopped from None
    return result


def _run_in_thread(function: Callable[[], T], deadline: _Deadline) -> T:
    job = _Job(function)
    try:
        _start(job.thread)
        while job.thread.is_alive():
            if deadline.has_passed():
                raise TookTooLong(job.stop())
            job.thread.join(_POLL_SECONDS)  # some systems do not let Ctrl-C through to a long wait
    except KeyboardInterrupt:  # may come while the thread is being started, and already runs
        raise Interrupted(job.stop()) from None
    if job.error is not None:
        raise job.error
    return job.results[0]


@contextmanager
def _unreported_ends() -> Iterator[None]:
    """Report no exception that was to end the call where Python could not pass it on, as from within
    ``__del__`` or the callback of a weak reference; it is raised once more.
    """
    report = sys.unraisablehook
    sys.unraisablehook = lambda told: None if issubclass(told.exc_type, _EndCall) else report(told)
    try:
        yield
    finally:
        sys.unraisablehook = report


def end_process_after(seconds: float) -> None:
    """Have the system end this process if it goes on for much longer than so many seconds of the processor.

    That ends a call inside of a function written in C, which nothing here can. It holds until the next time.
    """
    if resource is not None and _IN_A_PROCESS_OF_ITS_OWN in os.environ:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        end = ceil(process_time() + (seconds + _SECONDS_MORE) * _slowness_at_first())
        resource.setrlimit(resource.RLIMIT_CPU, (end, hard))


@cache
def _slowness_at_first() -> float:
    return slowness()


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
