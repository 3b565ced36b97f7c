"""A worker: a process of the grader's own that grades one submission after another.

It keeps a box started ahead. After a fault of the machine it closes its boxes, waits for a limited time until
the sandbox works again, and reports when that is over. Once one worker has waited in vain, the others do not
wait as long again.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Final

from grader.batch.job import Answer, Course, Done, ExerciseDone, Job, MachineFault, answer
from grader.batch.phase_gate import PhaseGate, Waited, shared_seconds
from grader.batch.stop_signals import ASKING, Stopping
from grader.errors import SandboxError
from grader.grading.engine import Tell
from grader.model import Limits
from grader.sandbox.base import Backend, Box, Ending, Probe
from grader.sandbox.pool import Pool
from grader.sandbox.probe import PATIENCE_SECONDS

_PR_SET_PDEATHSIG: Final = 1
_LOG: Final = logging.getLogger("grader")

MakeBackend = Callable[[], Backend]


@dataclass(frozen=True, slots=True)
class Recovered:
    """The message that a worker no longer waits for the sandbox after a fault."""


class JobGrader:
    """Grades jobs one after another, with a box started ahead, and recovers after faults of the sandbox."""

    def __init__(
        self,
        course: Course,
        make: MakeBackend,
        *,
        patience: float = PATIENCE_SECONDS,
        seconds: Waited | None = None,
        ill: Waited | None = None,
    ) -> None:
        """Prepare to grade; boxes are started only when they are needed.

        The time spent waiting for the other phase is added to ``seconds``. ``ill`` becomes 1, for all workers
        that share it, once one of them has waited for the sandbox in vain.
        """
        self._course, self._make, self._patience = course, make, patience
        self._waited = shared_seconds() if seconds is None else seconds  # a zero is false
        self._gate = PhaseGate(course.phases, self._waited, course.at_once) if course.phases else None
        self._pool: Pool | None = None
        self._complaints: list[str] = []
        self._log_handler = _ToComplaints(self._complaints.append)
        self._ill = shared_seconds() if ill is None else ill

    def grade(self, job: Job, known: str | None, tell: Tell = lambda *_: None) -> Answer:
        """Grade a submission; return an answer whatever happens."""
        waited = self._waited.value
        self._complaints.clear()
        _LOG.addHandler(self._log_handler)
        try:
            found = answer(job, self._course, _LazyBackend(self._open, self._make), known, self._gate, tell)
        finally:
            _LOG.removeHandler(self._log_handler)
        if isinstance(found, MachineFault):
            lasting = found.lasting or bool(self._ill.value)
            return replace(found, lasting=lasting, complaints=tuple(self._complaints))
        if isinstance(found, Done):
            seconds = found.seconds - (self._waited.value - waited)
            found = replace(found, seconds=seconds, complaints=tuple(self._complaints))
            self._ill.value *= bool(found.complaints)  # a box that could not be removed proves nothing
        return found

    def recover(self) -> None:
        """Close all boxes, and wait until the sandbox works again."""
        self.close()
        if not works_within(self._patience, self._make, given_up=lambda: bool(self._ill.value)):
            self._ill.value = 1.0

    def close(self) -> None:
        """Close the boxes that were started ahead."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            with contextlib.suppress(SandboxError):
                pool.close()

    def _open(self, limits: Limits) -> Box:
        if self._pool is None:
            self._pool = Pool(self._make(), limits, ahead=1)
        return _ForgivingBox(self._pool.open(limits), self._complaints.append)


def works_within(seconds: float, make: MakeBackend, given_up: Callable[[], bool] = lambda: False) -> bool:
    """Return whether a sandbox works, or starts to work within these seconds."""
    end = time.monotonic() + seconds
    while not given_up():
        if _works(make):
            return True
        if time.monotonic() >= end:
            break
        time.sleep(min(1.0, seconds / 10))
    return False


def _works(make: MakeBackend) -> bool:
    try:
        return make().probe().works
    except SandboxError:
        return False


class _LazyBackend:
    """A back end that is made on first use, so that an unchanged submission starts no box."""

    def __init__(self, open_: Callable[[Limits], Box], make: MakeBackend) -> None:
        backend = make()
        self.name, self.isolation = backend.name, backend.isolation
        self._open, self._backend = open_, backend

    def probe(self) -> Probe:
        return self._backend.probe()

    def open(self, limits: Limits) -> Box:
        return self._open(limits)


class _ForgivingBox:
    """A box whose failing removal is reported as a complaint, and does not cost the result."""

    def __init__(self, box: Box, complain: Callable[[str], None]) -> None:
        self._box, self._complain = box, complain
        self.write, self.read = box.write, box.read
        self.memory_kills, self.kill = box.memory_kills, box.kill

    def close(self) -> Ending:
        """Close the box and return how it ended; if that fails, try once more."""
        try:
            return self._box.close()
        except SandboxError as error:
            self._complain(str(error))
        try:
            return self._box.close()
        except SandboxError:
            return Ending()


class _ToComplaints(logging.Handler):
    """A log handler that collects complaints, with tracebacks: workers have no terminal of their own."""

    def __init__(self, complain: Callable[[str], None]) -> None:
        super().__init__()
        self._complain = complain

    def emit(self, record: logging.LogRecord) -> None:
        self._complain(self.format(record))


def run(
    pipe: Connection,
    course: Course,
    make: MakeBackend,
    patience: float = PATIENCE_SECONDS,
    seconds: Waited | None = None,
    ill: Waited | None = None,
) -> None:
    """Grade jobs from a pipe, and send back the answers, until the pipe is closed."""
    die_with_parent(parent_pid())
    _heed_the_grader_alone()
    grader = JobGrader(course, make, patience=patience, seconds=seconds, ill=ill)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            while True:
                job, known = pipe.recv()
                found = grader.grade(job, known, lambda *step: pipe.send(ExerciseDone(*step)))
                pipe.send(found)
                if isinstance(found, MachineFault):
                    grader.recover()
                    pipe.send(Recovered())
                del job, found
                gc.collect()  # between two submissions, so that memory stays flat in a long run
                gc.freeze()  # exempt cached objects, thousands of mazes, from further collections
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            grader.close()


def _heed_the_grader_alone() -> None:
    """Let only the grader stop its workers: a terminal sends its signals to them as well."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, lambda *_: None)  # ignored signals stay ignored in child programs
    stopping = Stopping(lambda: SystemExit(0))
    stopping.watch()
    signal.signal(signal.SIGTERM, stopping)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKING)


def parent_pid() -> int:
    """Return the id of the process that forked this one."""
    parent = parent_process()
    return os.getppid() if parent is None or parent.pid is None else parent.pid


def die_with_parent(parent: int) -> None:
    """Ask the kernel, if it can, to kill this process when its parent, given by its id, ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # the parent is gone already
            os._exit(1)
