"""Work on what a submission holds, done in processes of their own, within bounds.

Theory of operation. To parse, search or compare what a student wrote may take any time and any memory, or end
the interpreter, and not every function that does so can be trusted to stop. So a child that is forked for it
does all such work: it has whatever the grader has loaded, no file but those it is given, no network, and
bounds of processor time and memory that all work on one submission shares. It answers with plain data, which
is checked against a type, as the reply of a box is. The parsers of a submission's bytes ask a flag that
only such a child sets, and raise without it. What goes beyond a bound, or ends its process, is told as
BeyondBounds, and no other work on that submission is done. What raises is a mistake in the grader; a child
that something else ends is a fault of the machine.
"""

from __future__ import annotations

import gc
import logging
import os
import resource
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from json import dumps, loads
from math import ceil
from pathlib import Path
from time import monotonic
from typing import Any, Final, NoReturn, Protocol, Self, TypeVar

import msgspec

from grader.errors import BeyondBounds, GraderMistake, SandboxError
from grader.inside import guard
from grader.model import Limits

T = TypeVar("T")


class Read(Protocol):
    """Does a piece of work and returns its result; None where it went beyond its bounds."""

    def __call__(self, work: Callable[[], T], kind: Any, /) -> T | None:
        """Do the work, whose result is plain data of that kind."""


_IS_READING: Final = ContextVar("is_reading", default=False)
"""Whether what runs here may look into what a submission holds."""


def check_reading() -> None:
    """Raise RuntimeError where nothing bounds what parsing the bytes of a submission takes."""
    if not _IS_READING.get():
        raise RuntimeError("expected a reader to parse what a submission holds, got a process without bounds")


@contextmanager
def reading_here() -> Iterator[None]:
    """Let this process parse files without bounds: those that the grader brings itself."""
    before = _IS_READING.set(True)
    try:
        yield
    finally:
        _IS_READING.reset(before)


def read_here(work: Callable[[], T], _: Any, /) -> T | None:
    """Do the work in this process, which has no bounds: for files that the grader brings itself."""
    with reading_here():
        return work()


_MOST_BYTES: Final = 128 * 1024 * 1024
"""An answer of more bytes is refused."""
_CHUNK: Final = 1024 * 1024
_WALL_SECONDS, _WALL_FACTOR = 60.0, 30.0
"""A child that has not ended after a minute and 30 times its processor time hangs in the machine: its work
needs no more than a processor."""
_SINK: Final = 3
"""The child answers on this descriptor."""
_NOT_SHUT_IN, _NO_ROOM = 2, 3
"""How a child exits that could not limit itself, or found no room to answer in."""
_ENDED_BY_WORK: Final = (
    *(_NO_ROOM, -signal.SIGXCPU),
    *(-signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS, -signal.SIGILL, -signal.SIGFPE, -signal.SIGSYS),
)
_UNTOLD: Final = ("MemoryError", "RecursionError")
"""Raised where memory or stack are used up; everything else is a mistake in the grader, and is logged."""
_PACKAGES: Final = tuple(str(Path(__file__).parents[1] / name) for name in ("grader", "lab", "reference"))
_SYSTEM: Final = ("/usr", "/lib", "/lib64", "/etc", "/proc/meminfo")
_READABLE: Final = (*_PACKAGES, sys.prefix, sys.base_prefix, *_SYSTEM)
"""What may be read beside ``sys.path``, which does not lead to packages that are installed to be edited."""

_LOG: Final = logging.getLogger("grader")


class Reader:
    """Does the work on one submission; each piece has the processor time that those before it left."""

    def __init__(self, cpu_seconds: float, memory_bytes: int) -> None:
        self._most = self._left = cpu_seconds
        self._memory = memory_bytes
        self._second: Reader | None = None
        self.is_beyond = False
        """Whether a piece of work went beyond the bounds, so that no other is done."""
        self.has_erred = False
        """Whether a piece of work failed by a mistake in the grader."""

    @classmethod
    def of(cls, limits: Limits) -> Self:
        """Return the reader of one submission, with the limits of the course."""
        return cls(limits.reader_cpu_seconds, limits.reader_memory_bytes)

    def read(self, work: Callable[[], T], kind: Any, paths: Iterable[Path] = ()) -> T:
        """Do a piece of work and return its result, which is plain data of that kind.

        The work may read the files of these paths. Raises BeyondBounds, and SandboxError where the machine
        ends the work, or a mistake in the grader does.
        """
        if self.is_beyond:
            raise BeyondBounds("the time for reading the submission is used up")
        most = self._left
        source, sink = os.pipe()
        pid = os.fork()
        if not pid:
            _do(work, sink, most, self._memory, paths)
        os.close(sink)
        try:
            answer = _listen(source, monotonic() + _WALL_SECONDS + _WALL_FACTOR * most)
        finally:
            os.close(source)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            _, status, usage = os.wait4(pid, 0)
        self._left -= usage.ru_utime + usage.ru_stime
        try:
            result: T = _result(answer, os.waitstatus_to_exitcode(status), kind, is_spent=self._left <= 0)
        except BeyondBounds:
            self.is_beyond = True
            raise
        except GraderMistake:
            self.has_erred = True
            raise
        return result

    def attempt(self, work: Callable[[], T], kind: Any, /) -> T | None:
        """Do a piece of work on which no mark depends; None where it goes beyond the bounds, or the grader
        errs."""
        try:
            return self.read(work, kind)
        except (BeyondBounds, GraderMistake):
            return None

    def read_again(self, work: Callable[[], T], kind: Any, paths: Iterable[Path] = ()) -> T:
        """Do a piece of work that decides; where it goes beyond what is left, once more with a second purse.

        Seconds alone decide nothing: what other work took, or another process beside, is no reason. Raises as
        ``read`` does.
        """
        try:
            return self.read(work, kind, paths)
        except BeyondBounds:
            self._second = self._second or Reader(self._most, self._memory)
            return self._second.read(work, kind, paths)

    def decide(self, work: Callable[[], T], kind: Any, /) -> T | None:
        """Do a piece of work on which a mark depends; None where it goes beyond the bounds twice, or the
        grader errs, so that a person has to look."""
        try:
            return self.read_again(work, kind)
        except (BeyondBounds, GraderMistake):
            return None


def _do(
    work: Callable[[], object], sink: int, seconds: float, memory: int, paths: Iterable[Path]
) -> NoReturn:
    """Do the work in the child, write what it gave, and end."""
    status = _NOT_SHUT_IN
    try:
        _shut_in(sink, seconds, memory, paths)
        status = _NO_ROOM
        gc.freeze()  # what came with the fork is not looked at
        gc.enable()
        _IS_READING.set(True)
        try:
            told = {"value": msgspec.to_builtins(work())}
        except BaseException as error:  # noqa: BLE001 - whatever was brought about is told
            told = {"raised": type(error).__name__, "trace": traceback.format_exc(limit=-20)}
        view = memoryview(dumps(told).encode("ascii"))
        while view:
            view = view[os.write(_SINK, view) :]
        status = 0
    finally:
        os._exit(status)


def _shut_in(sink: int, seconds: float, memory: int, paths: Iterable[Path]) -> None:
    """Take from this process what the work does not need."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the grader decides when it ends
    os.dup2(sink, _SINK)
    os.closerange(_SINK + 1, os.sysconf("SC_OPEN_MAX"))
    resource.setrlimit(
        resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds) + 1)
    )  # the former has its own signal
    limits = {"FSIZE": 0, "CORE": 0}
    if sys.platform != "linux":
        guard.lock_in({"limits": limits})
        return
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limits["AS"] = pages * resource.getpagesize() + memory
    guard.lock_in({"limits": limits, "parent": os.getppid(), "no_new_privileges": True})
    with suppress(OSError):  # a machine without these has the limits
        read = [*sys.path, *_READABLE, *map(os.path.realpath, paths)]
        files = {"files": {"read": read, "write": []}} if guard.landlock_version() else {}
        guard.lock_in({**files, "filter": guard.can_filter()})


def _listen(source: int, deadline: float) -> bytes | None:
    """Return all that the child writes, up to a limit; None where it takes too long."""
    answer, poll = bytearray(), select.poll()
    poll.register(source, select.POLLIN)
    while poll.poll(max(0.0, deadline - monotonic()) * 1000):
        data = os.read(source, _CHUNK)
        answer += data
        if not data or len(answer) > _MOST_BYTES:
            return bytes(answer)
    return None


def _result(answer: bytes | None, status: int, kind: Any, *, is_spent: bool) -> Any:
    """Return what the child answered. Raises BeyondBounds, GraderMistake and SandboxError."""
    if answer is None:
        raise SandboxError("a process that reads a submission did not end: the machine may be too busy")
    if is_spent or status in _ENDED_BY_WORK or len(answer) > _MOST_BYTES:
        raise BeyondBounds("reading the submission took too much time or memory")
    try:
        told = loads(answer)
        if "raised" not in told:
            return msgspec.convert(told["value"], kind)
    except (ValueError, KeyError, TypeError) as error:
        raise SandboxError(f"a process that reads a submission was ended (status {status})") from error
    if told["raised"] in _UNTOLD:
        raise BeyondBounds(f"reading the submission ended with {told['raised']}")
    _LOG.error("a mistake in the grader, while it read a submission:\n%s", told["trace"])
    raise GraderMistake(f"a mistake in the grader, not in the work: to read it raised {told['raised']}")
