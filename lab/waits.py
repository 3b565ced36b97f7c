"""Waiting and time as one call of a submission has them: no wait is real, and no clock is the machine's.

Theory of operation. Within a call, the locks of Python are these, and all that stands on them (conditions,
events, queues, joins, executors) with them. Who has to wait says so. Where every thread of the call does,
and none has a process of its own, nobody is left who could wake one: the wait that is due first ends, and
the call's clock moves to that moment; where none ever is, the call is stuck, and its own thread is told at
once. A thread that computes is waited for. So what happens hangs on what threads do, and not on how fast.

The clocks of a call move by what it does: a tenth of a millisecond each time that one is read, a tenth of a
microsecond each turn where turns are counted, and by what was slept. Each call begins at the same reading,
and what a file reads while it is loaded lies before that.

The names are replaced in ``time`` and ``_thread``, and wherever a module of Python has taken one of them for
its own: what is imported later takes these. Threads that the call did not start keep what they had.
"""

from __future__ import annotations

import _thread
import os
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType
from typing import Any, Final

NANOSECONDS: Final = 1_000_000_000
_A_READING, _A_TURN = 100_000, 100
"""By how many nanoseconds the clocks move when one is read, and for each turn."""
_BEGINNING: Final = 100_000 * NANOSECONDS
"""What the clocks show that count from no moment in particular, when a call begins."""
_TODAY: Final = 1_790_000_000 * NANOSECONDS
"""What is added for those that count from 1970."""
LOADING: Final = -1000 * NANOSECONDS
"""When files are loaded, seen from a call."""
_allocate, _ident, _start, _sleep = (
    _thread.allocate_lock,
    _thread.get_ident,
    _thread.start_new_thread,
    time.sleep,
)
_of_thread: Final = getattr(time, "pthread_getcpuclockid", None)
_now_of: Final[Callable[[int], int]] = getattr(time, "clock_gettime_ns", int)
_frame: Final = sys._getframe
_real: Final = {**vars(time)}
"""The module's own functions, by name."""
IN_C: Final = {"datetime": "datetime", "asyncio": "selectors", "selectors": "selectors", "select": "select"}
"""What is loaded ahead where one of these modules is used: what it reads or waits by is written in C."""
_OF_NOW: Final = {"localtime": 0, "gmtime": 0, "ctime": 0, "strftime": 1, "asctime": 0}
"""Functions that take the time of now where nothing is given at this place."""


class _Wait:
    """One thread that waits, until it is woken."""

    __slots__ = ("due", "got", "is_stuck", "line", "thread", "wake")

    def __init__(self, thread: int, due: int | None, line: list[_Wait]) -> None:
        self.thread, self.due, self.line = thread, due, line
        line.append(self)
        self.got = self.is_stuck = False
        self.wake = _allocate()
        self.wake.acquire()


class CallTime:
    """The threads, the locks and the clocks of the calls that one thread makes."""

    def __init__(
        self,
        stuck: Callable[[FrameType | None, int], object],
        passed: Callable[[str], object] = lambda _: None,
        turns: Callable[[], int] = lambda: 0,
        late: Callable[[], object] = lambda: None,
    ) -> None:
        """Set up the time of a call.

        ``stuck`` is called in the call's own thread when nobody can wake it, with the frame that waits and
        the number of threads that do, and does not return. ``passed`` is told the name of what waited for an
        end that came at once. ``turns`` returns how many turns the call has made. ``late`` is called when the
        call has waited for more than ``most_seconds`` by its own clock.
        """
        self._stuck, self._passed, self._turns, self._late = stuck, passed, turns, late
        self.most_seconds = float("inf")
        self.in_thread: Callable[[], object] = lambda: None
        """Called first in each thread that the call starts."""
        self._guard = _allocate()
        self._threads: dict[int, int | None] = {}
        """The threads of the call that run or wait, with the clocks of their processor time."""
        self._waits: list[_Wait] = []
        self._sentinels: dict[int, Any] = {}
        self._main, self._is_in_force = 0, False
        self._began = self._reads = self._slept = 0
        self._holders: list[Any] = []
        self._held: list[tuple[Any, str, Any]] = []
        """Where Python's modules, those of last time, hold what is replaced."""

    # --- the clock ----------------------------------------------------------------------------------

    def begin(self, offset: int = 0) -> None:
        """Begin a call in this thread; its clocks begin so many nanoseconds later than others'."""
        self._main = _ident()
        self._threads.setdefault(self._main, _clock_of(self._main))
        self._began, self._reads, self._slept = _BEGINNING + offset, 0, 0

    def now(self) -> int:
        """Read the call's clock, in nanoseconds; that moves it."""
        self._reads += 1
        return self._moment()

    def sleep(self, seconds: float) -> None:
        """Wait as ``time.sleep`` does, until nothing else of the call runs."""
        nanoseconds = _nanoseconds(seconds)
        if nanoseconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._passed("time.sleep")
        self._guard.acquire()
        self._wait(_Wait(_ident(), self._moment() + nanoseconds, []))
        _sleep(0)

    def _moment(self) -> int:
        return self._began + self._reads * _A_READING + self._turns() * _A_TURN + self._slept

    # --- who waits ----------------------------------------------------------------------------------

    def wait(self, line: list[_Wait], timeout: float) -> bool:
        """Wait in a line, with the guard held, which is released; tell whether somebody has woken it."""
        wait = _Wait(_ident(), None if timeout < 0 else self._moment() + _nanoseconds(timeout), line)
        if not self._wait(wait):
            if wait.is_stuck and self._is_in_force:
                self._stuck(_frame(1), len(self._waits) + 1)
            self._passed(_called(_frame(1)))
        return wait.got

    def _wait(self, wait: _Wait) -> bool:
        """Wait, with the guard held, which is released; tell whether somebody has woken it."""
        is_ours = wait.thread in self._threads
        if is_ours:
            self._waits.append(wait)
            self._settle()
        self._guard.release()
        try:
            if is_ours or wait.due is None:
                wait.wake.acquire()
            else:  # a thread that is not the call's, on a lock that is
                wait.wake.acquire(timeout=max(0.0, (wait.due - self._moment()) / NANOSECONDS))
        except BaseException:  # Ctrl-C, or the end of the call
            with self._guard:
                _take_out(wait, self._waits, wait.line)
            raise
        return wait.got

    def wake(self, wait: _Wait, *, got: bool = True) -> None:
        """Have a thread go on, with the guard held."""
        wait.got = got
        _take_out(wait, self._waits, wait.line)
        wait.wake.release()

    def _settle(self) -> None:
        """Where all threads of the call wait, end the wait that is due first; with the guard held."""
        if len(self._waits) < len(self._threads) or not self._waits or has_processes():
            return
        due = [wait for wait in self._waits if wait.due is not None]
        if due:
            first = min(due, key=lambda wait: wait.due or 0)
            self._slept += max(0, (first.due or 0) - self._moment())
            if self._slept > self.most_seconds * NANOSECONDS:
                self._late()
            self.wake(first, got=False)
            return
        for wait in self._waits:
            if wait.thread == self._main:
                wait.is_stuck = True
                self.wake(wait, got=False)
                return

    def look(self) -> None:
        """Look again whether all wait: a process that the call had started may have ended."""
        with self._guard:
            self._settle()

    def processor_times(self) -> tuple[tuple[int, int], ...] | None:
        """Return the processor time of each thread of the call; None where all say that they wait, or where
        the system does not tell."""
        found = []
        for thread, clock in [*self._threads.items()]:
            if clock is None:
                return None
            with suppress(OSError):  # it has ended by now
                found.append((thread, _now_of(clock)))
        return tuple(found) if len(self._waits) < len(self._threads) else None

    # --- threads ------------------------------------------------------------------------------------

    def start(self, function: Callable[..., Any], arguments: Any = (), named: Any = None) -> int:
        """Start a thread as ``_thread.start_new_thread`` does: of the call, where one of its threads does."""
        if not callable(function) or not isinstance(arguments, tuple) or _ident() not in self._threads:
            return _start(function, arguments, *([] if named is None else [named]))
        begun = _allocate()
        begun.acquire()

        def run() -> None:
            with self._guard:
                self._threads[_ident()] = _clock_of(_ident())
            begun.release()
            try:
                self.in_thread()
                function(*arguments, **(named or {}))
            finally:
                self._end()

        thread = _start(run, ())
        begun.acquire()  # it is one of the call's threads before whoever started it may wait
        return thread

    def _end(self) -> None:
        """End this thread of the call, and have those go on that wait for its end."""
        with self._guard:
            self._threads.pop(_ident(), None)
            sentinel = self._sentinels.pop(_ident(), None)
        if sentinel is not None:
            with suppress(RuntimeError):
                sentinel.release()
        with self._guard:
            self._settle()

    def sentinel(self) -> Any:
        """Return a lock that is released when this thread ends, as ``_thread._set_sentinel`` does."""
        lock = self._sentinels[_ident()] = Lock(self)
        return lock

    # --- what is replaced ---------------------------------------------------------------------------

    @contextmanager
    def in_force(self, modules: Collection[str] = ()) -> Iterator[None]:
        """Have the threads of the call find these locks and clocks, in this context.

        ``modules`` names modules of Python's that may be used: what reads clocks or waits in C is loaded.
        """
        for name in modules:
            if name in IN_C:
                import_module(IN_C[name])
        instead = dict([*self._locks(), *self._clocks(), *self._of_loaded()])
        places: list[tuple[Any, str, Any]] = [
            (holder, name, instead[value])
            for holder, name, value in self._found_in_modules(instead)
            if vars(holder).get(name) is value
        ]
        places += (
            [
                (kind, "select", self._selecting(vars(kind)["select"]))
                for kind in vars(sys.modules["selectors"]).values()
                if isinstance(kind, type) and "select" in vars(kind)
            ]
            if "selectors" in sys.modules
            else []
        )
        with _without_queues_in_c(places):
            before = [(holder, name, vars(holder)[name]) for holder, name, _ in places]
            try:
                for place in places:
                    setattr(*place)
                self._is_in_force = True
                yield
            finally:
                self._is_in_force = False
                self._threads.pop(_ident(), None)
                for place in before:
                    setattr(*place)

    def _found_in_modules(self, instead: Mapping[Any, Any]) -> list[tuple[Any, str, Any]]:
        """Return where Python's own modules hold what is replaced; they are searched anew if there are
        others than the last time."""
        holders = [module for name, module in [*sys.modules.items()] if module and _is_of_python(name)]
        if holders != self._holders:
            self._holders, self._held = (
                holders,
                [
                    (holder, name, value)
                    for holder in holders
                    for name, value in [*vars(holder).items()]
                    if _may_be_replaced(value) and value in instead
                ],
            )
        return self._held

    def _locks(self) -> Iterator[tuple[Any, Any]]:
        """Yield what locks and starts threads, and what stands there instead."""
        lock = _maker(Lock, self)
        yield _thread.allocate_lock, lock
        yield _thread.LockType, lock
        yield _thread.RLock, _maker(RLock, self)
        yield _thread.start_new_thread, self.start
        if (of_thread := getattr(_thread, "_set_sentinel", None)) is not None:  # before Python 3.13
            yield of_thread, self.sentinel
        if (handle := getattr(_thread, "_ThreadHandle", None)) is not None:
            yield handle, _maker(Handle, self)
            yield _thread.start_joinable_thread, self._start_joinable  # type: ignore[attr-defined]

    def _clocks(self) -> Iterator[tuple[Any, Any]]:
        """Yield what reads a clock or sleeps, and what stands there instead."""
        found: dict[str, Callable[..., Any]] = {"sleep": self.sleep}
        for end, of in (("", _in_seconds), ("_ns", int)):
            for name in ("monotonic", "perf_counter", "process_time", "thread_time", "time"):
                found[name + end] = _reading(self.now, of, _TODAY if name == "time" else 0)
            found[f"clock_gettime{end}"] = _of_clock(self.now, of)
        found |= {name: self._of_now(name, place) for name, place in _OF_NOW.items()}
        for name, ours in found.items():
            if (real := getattr(time, name, None)) is not None:
                yield real, self._for_its_threads(real, ours)

    def _of_loaded(self) -> Iterator[tuple[Any, Any]]:
        """Yield what reads clocks or waits in modules that may be loaded, and what stands there instead."""
        if (dates := sys.modules.get("datetime")) is not None:
            yield from _dates(dates, self._seconds)
        if (select := sys.modules.get("select")) is not None:
            yield select.select, self._for_its_threads(select.select, self._select(select.select))

    def _seconds(self) -> float:
        return (self.now() + _TODAY) / NANOSECONDS if _ident() in self._threads else _real["time"]()

    def _for_its_threads(self, real: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            return (ours if _ident() in self._threads else real)(*given, **named)

        called.__name__ = called.__qualname__ = real.__name__
        return called

    def _of_now(self, name: str, place: int) -> Callable[..., Any]:
        real = _real[name]

        def of_now(*given: Any) -> Any:
            if len(given) > place and given[place] is not None:
                return real(*given)
            now = self._seconds()
            return real(
                *given[:place], now if name not in ("asctime", "strftime") else _real["localtime"](now)
            )

        return of_now

    def _select(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return what waits for files as ``select.select`` does, with an end that comes at once."""

        def select(*given: Any) -> Any:
            *files, timeout = given if len(given) > 3 else (*given, None)
            if not timeout:
                return real(*given)
            if not any(real(*files, 0)):
                self.sleep(timeout)
            return real(*files, 0)

        return select

    def _selecting(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return the method ``select`` of a selector, which asyncio waits by."""

        def select(selector: Any, timeout: float | None = None) -> Any:
            if not timeout or timeout < 0 or _ident() not in self._threads:
                return real(selector, timeout)
            if found := real(selector, 0):
                return found
            self.sleep(timeout)
            return real(selector, 0)

        return select

    def _start_joinable(self, function: Callable[..., Any], handle: Any = None, daemon: bool = True) -> Any:  # noqa: ARG002 - Python's signature
        handle = Handle(self) if handle is None else handle
        handle.thread = self.start(handle.running(function))
        return handle


class Lock:
    """A lock of the call: ``threading.Lock``."""

    __slots__ = ("__weakref__", "_held", "_line", "_time")

    def __init__(self, call_time: CallTime) -> None:
        self._time, self._held = call_time, False
        self._line: list[_Wait] = []

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock; tell whether it was taken."""
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        self._time._guard.acquire()
        if not self._held:
            self._held = True
            self._time._guard.release()
            return True
        if not blocking:
            self._time._guard.release()
            return False
        return self._time.wait(self._line, timeout)  # who is woken holds it

    def release(self) -> None:
        """Let the lock go, to who has waited longest."""
        with self._time._guard:
            if not self._held:
                raise RuntimeError("release unlocked lock")
            if self._line:
                self._time.wake(self._line[0])
            else:
                self._held = False

    def locked(self) -> bool:
        """Tell whether somebody has it."""
        return self._held

    def _at_fork_reinit(self) -> None:
        self._held, self._line = False, []

    acquire_lock, release_lock, locked_lock, __enter__ = acquire, release, locked, acquire

    def __exit__(self, *_: object) -> None:
        self.release()


class RLock:
    """A lock of the call that a thread may take again: ``threading.RLock``."""

    __slots__ = ("__weakref__", "_count", "_lock", "_owner")

    def __init__(self, call_time: CallTime) -> None:
        self._lock, self._owner, self._count = Lock(call_time), 0, 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Take the lock once more; tell whether it was taken."""
        if self._owner != _ident():
            if not self._lock.acquire(blocking, timeout):
                return False
            self._owner = _ident()
        self._count += 1
        return True

    def release(self) -> None:
        """Let the lock go once."""
        if self._owner != _ident():
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if not self._count:
            self._owner = 0
            self._lock.release()

    __enter__ = acquire

    def __exit__(self, *_: object) -> None:
        self.release()

    def locked(self) -> bool:
        """Tell whether somebody has it."""
        return self._count > 0

    def _is_owned(self) -> bool:
        return self._owner == _ident()

    def _recursion_count(self) -> int:
        return self._count if self._owner == _ident() else 0

    def _release_save(self) -> tuple[int, int]:
        state, self._count, self._owner = (self._count, self._owner), 0, 0
        self._lock.release()
        return state

    def _acquire_restore(self, state: tuple[int, int]) -> None:
        self._lock.acquire()
        self._count, self._owner = state

    def _at_fork_reinit(self) -> None:
        self._lock._at_fork_reinit()
        self._owner = self._count = 0


class Handle:
    """What Python 3.13 and later join a thread by: ``_thread._ThreadHandle``."""

    def __init__(self, call_time: CallTime) -> None:
        self.thread, self._ended = 0, Lock(call_time)
        self._is_done = False

    @property
    def ident(self) -> int:
        """The number of the thread."""
        return self.thread

    def running(self, function: Callable[..., Any]) -> Callable[[], None]:
        """Return what runs the function and then says that it is done."""
        self._ended.acquire()

        def run() -> None:
            try:
                function()
            finally:
                self._set_done()

        return run

    def is_done(self) -> bool:
        """Tell whether the thread has ended."""
        return self._is_done

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end of the thread."""
        if not self._is_done and self._ended.acquire(
            timeout=-1 if timeout is None or timeout < 0 else timeout
        ):
            self._ended.release()

    def _set_done(self) -> None:
        if not self._is_done:
            self._is_done = True
            with suppress(RuntimeError):
                self._ended.release()


def _is_instance_of(kind: type) -> Callable[[type, object], bool]:
    return lambda _, value: isinstance(value, kind)


def _maker(kind: Any, call_time: CallTime) -> Any:
    """Return the class, of which one is made without arguments."""

    def made(cls: type, *_: object, **__: object) -> Any:  # noqa: ARG001 - Python's signature
        return kind(call_time)

    meta: Any = type("type", (type,), {"__instancecheck__": _is_instance_of(kind)})
    return meta(kind.__name__.lower(), (), {"__new__": made, "__module__": "_thread"})


@contextmanager
def _without_queues_in_c(places: list[tuple[Any, str, Any]]) -> Iterator[None]:
    """Have ``queue`` use the simple queue that is written in Python, also where it is loaded meanwhile."""
    if (queue := sys.modules.get("queue")) is not None:
        queue._PySimpleQueue.__name__ = "SimpleQueue"  # as its values are shown
        places.append((queue, "SimpleQueue", queue._PySimpleQueue))
        yield
        return
    before = {name: module for name, module in sys.modules.items() if name == "_queue"}
    sys.modules["_queue"] = None  # type: ignore[assignment]  # it cannot be imported
    try:
        yield
    finally:
        sys.modules.pop("_queue", None)
        sys.modules.update(before)


def _in_seconds(nanoseconds: int) -> float:
    return nanoseconds / NANOSECONDS


def _reading(now: Callable[[], int], of: Callable[[int], Any], more: int) -> Callable[[], Any]:
    return lambda: of(now() + more)


def _of_clock(now: Callable[[], int], of: Callable[[int], Any]) -> Callable[[int], Any]:
    def read(clock: int) -> Any:
        return of(now() + (_TODAY if clock == getattr(time, "CLOCK_REALTIME", 0) else 0))

    return read


def _dates(module: Any, seconds: Callable[[], float]) -> Iterator[tuple[Any, Any]]:
    """Yield the classes of ``datetime`` that read a clock, and subclasses that read the call's."""
    for real in (module.date, module.datetime):
        check = {"__instancecheck__": _is_instance_of(real)}
        methods: dict[str, Any] = {"today": classmethod(lambda cls: cls.fromtimestamp(seconds()))}
        if real is module.datetime:
            methods |= {
                "now": classmethod(lambda cls, tz=None: cls.fromtimestamp(seconds(), tz)),
                "utcnow": classmethod(
                    lambda cls: cls.fromtimestamp(seconds(), module.timezone.utc).replace(tzinfo=None)
                ),
            }
        names = {
            "__module__": "datetime",
            "__qualname__": real.__name__,
            "__repr__": lambda self: f"datetime.{super(type(self), self).__repr__()}",
        }
        yield real, type("type", (type(real),), check)(real.__name__, (real,), {**methods, **names})


def _nanoseconds(seconds: float) -> int:
    return int(seconds * NANOSECONDS)


def _clock_of(thread: int) -> int | None:
    """Return the clock of a running thread's processor time; None where the system has none."""
    try:
        return None if _of_thread is None else _of_thread(thread)
    except OSError:
        return None


def has_processes() -> bool:
    """Tell whether a process that was started here runs."""
    try:
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except (AttributeError, OSError):
        return False


def _called(frame: FrameType | None) -> str:
    """Return the name of what waits: the outermost public function of Python's own above the frame."""
    name = "threading.Lock.acquire"
    while frame is not None:
        module, function = frame.f_globals.get("__name__", ""), frame.f_code.co_qualname
        if module != __name__:
            if not _is_of_python(module):
                break
            if "._" not in f".{function}":
                name = f"{module}.{function}"
        frame = frame.f_back
    return name


def _is_of_python(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _take_out(wait: _Wait, *lines: list[_Wait]) -> None:
    for line in lines:
        with suppress(ValueError):
            line.remove(wait)


def _may_be_replaced(value: object) -> bool:
    """Tell whether it may be one of what is replaced: functions of C, and classes."""
    return type(value) is type(_sleep) or isinstance(value, type)
