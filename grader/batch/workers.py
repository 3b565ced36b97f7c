"""Workers on this machine: processes that are started, watched, ended and replaced.

The grader itself has one thread, so it may fork: the plan, which takes seconds to make, is shared. After
SHARE submissions a worker is replaced by a fresh one, since caches and memory fragmentation grow.

A worker grades one submission after another, and keeps a box started ahead. After a fault of the machine it
closes its boxes, waits for a limited time until the sandbox works again, and reports when that is over. Once
one worker has waited in vain, the others do not wait as long again.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import logging
import mmap
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

from grader.batch.job import Answer, Course, Done, ExerciseDone, Job, MachineFault, answer
from grader.batch.report.similarity import look_at
from grader.batch.stop_signals import ASKING, Stopping, signals_deferred
from grader.errors import GraderError, SandboxError
from grader.grading.engine import Tell
from grader.model import Limits
from grader.sandbox.base import PATIENCE_SECONDS, Backend, Box, Ending, Probe
from grader.sandbox.piped_box import Pool
from grader.session.submission_limits import stretch_now

_PR_SET_PDEATHSIG: Final = 1
_LOG: Final = logging.getLogger("grader")

MakeBackend = Callable[[], Backend]


@dataclass(frozen=True, slots=True)
class Recovered:
    """The message that a worker no longer waits for the sandbox after a fault."""


def shared_flag() -> ctypes.c_bool:
    """Return a flag, not set, in memory that is shared with all processes forked from now on."""
    return ctypes.c_bool.from_buffer(mmap.mmap(-1, ctypes.sizeof(ctypes.c_bool)))


class JobGrader:
    """Grades jobs one after another, with a box started ahead, and recovers after faults of the sandbox."""

    def __init__(
        self,
        course: Course,
        make: MakeBackend,
        *,
        patience: float = PATIENCE_SECONDS,
        ill: ctypes.c_bool | None = None,
    ) -> None:
        """Prepare to grade; boxes are started only when they are needed.

        ``ill`` becomes true, for all workers that share it, once one of them has waited for the sandbox in
        vain.
        """
        self._course, self._make, self._patience = course, make, patience
        self._pool: Pool | None = None
        self._complaints: list[str] = []
        self._log_handler = _ToComplaints(self._complaints.append)
        self._ill = shared_flag() if ill is None else ill  # one that is not set is false

    def grade(self, job: Job, known: str | None, tell: Tell = lambda *_: None) -> Answer:
        """Grade a submission; return an answer whatever happens."""
        self._complaints.clear()
        _LOG.addHandler(self._log_handler)
        try:
            found = answer(job, self._course, _LazyBackend(self._open, self._make), known, tell)
        finally:
            _LOG.removeHandler(self._log_handler)
        if isinstance(found, MachineFault):
            lasting = found.lasting or self._ill.value
            return replace(found, lasting=lasting, complaints=tuple(self._complaints))
        if isinstance(found, Done):
            look = self._look(found) if self._course.is_compared else b""
            found = replace(found, complaints=tuple(self._complaints), look=look)
            self._ill.value &= bool(found.complaints)  # a box that could not be removed proves nothing
        return found

    def _look(self, done: Done) -> bytes:
        """Return what is compared of the code; empty where it cannot be made here, and is made later."""
        with contextlib.suppress(GraderError, OSError):
            return b"" if done.refused else look_at(done.code)
        return b""

    def recover(self) -> None:
        """Close all boxes, and wait until the sandbox works again."""
        self.close()
        if not works_within(self._patience, self._make, given_up=lambda: self._ill.value):
            self._ill.value = True

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
    ill: ctypes.c_bool | None = None,
) -> None:
    """Grade jobs from a pipe, and send back the answers, until the pipe is closed."""
    die_with_parent()
    _heed_the_grader_alone()
    grader = JobGrader(course, make, patience=patience, ill=ill)
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


def die_with_parent(parent: int | None = None) -> None:
    """Ask the kernel, if it can, to kill this process when its parent ends.

    ``parent`` is its id; by default, that of the process that forked this one.
    """
    if parent is None:
        forked_by = parent_process()
        parent = os.getppid() if forked_by is None or forked_by.pid is None else forked_by.pid
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # the parent is gone already
            os._exit(1)


MARGIN_SECONDS: Final = 180.0
"""A submission may take 180 seconds beyond its own time: for starts, retries and a busy machine."""
SHARE: Final = 100
"""A worker grades at most 100 submissions before it is replaced."""
_STOP_SECONDS: Final = 15.0
_ASK_AGAIN_SECONDS: Final = 2.0


@dataclass(eq=False, slots=True)
class _Worker:
    process: BaseProcess
    pipe: Connection
    job: Job | None = None
    since: float = field(default_factory=time.monotonic)
    graded: int = 0
    stretch: float = 1.0
    """How busy the machine was at the most since it took the job."""
    recovers: bool = False
    """Whether it is waiting, after a fault, for the sandbox to work again."""

    def take(self, job: Job, known: str | None) -> None:
        """Send the job."""
        self.since, self.stretch = time.monotonic(), 1.0
        self.pipe.send((job, known))
        self.job = job

    def took(self) -> float:
        """Return the seconds that the job would have taken on an idle machine."""
        self.stretch = max(self.stretch, stretch_now())
        return (time.monotonic() - self.since) / self.stretch


class LocalWorkers:
    """A fixed number of worker processes; those that die or hang are replaced."""

    def __init__(
        self,
        course: Course,
        make: MakeBackend,
        count: int,
        *,
        margin: float = MARGIN_SECONDS,
        patience: float = PATIENCE_SECONDS,
        share: int = SHARE,
    ) -> None:
        self._course, self._make, self._patience, self._share = course, make, patience, share
        self._seconds = course.plan.limits.submission_wall_seconds + margin
        self._context = multiprocessing.get_context("fork")
        self.at_once = count
        self._workers: list[_Worker] = []
        self._leaving: list[_Worker] = []
        self.on_step: Callable[[Job, ExerciseDone], None] = lambda *_: None
        """Called with the job whenever an exercise has been graded."""
        self._ill = shared_flag()
        """Shared by all workers: true once one of them has waited for the sandbox in vain."""
        gc.freeze()  # exempt the plan from collection, so that forked pages stay shared
        try:
            for _ in range(count):
                with signals_deferred():
                    self._workers.append(self._hire())
        except BaseException:  # Ctrl-C, or no more processes: else Python waits for those that exist
            self.close()
            raise

    def free(self) -> int:
        """Return how many workers are idle; 0 while one waits for the sandbox, which all of them need."""
        for member in list(self._workers):
            if member.recovers:
                try:
                    if member.pipe.poll():
                        member.pipe.recv()
                        member.recovers = False
                    elif time.monotonic() - member.since > self._patience + MARGIN_SECONDS:
                        self._replace(member)
                except (EOFError, OSError):
                    self._replace(member)
        if any(member.recovers for member in self._workers):
            return 0
        return sum(worker.job is None for worker in self._workers)

    def give(self, job: Job, known: str | None) -> None:
        """Hand a job to an idle worker, or to its replacement if it has died meanwhile."""
        free = [worker for worker in self._workers if worker.job is None]
        chosen = min(free, key=lambda worker: worker.recovers)
        try:
            chosen.take(job, known)
        except OSError:
            self._replace(chosen).take(job, known)

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        """Wait for at most ``seconds``, and return the answers that have arrived.

        A worker that died or hangs is replaced, and its job becomes a fault.
        """
        busy = {worker.pipe: worker for worker in self._workers if worker.job is not None}
        sentinels = {worker.process.sentinel: worker for worker in busy.values()}
        ready = wait([*busy, *sentinels], timeout=seconds)
        came = [
            self._answer(member)
            for member in {id(w): w for w in (busy.get(r) or sentinels[r] for r in ready)}.values()  # type: ignore[call-overload, index]
        ]
        late = [w for w in self._workers if w.job and w.took() > self._seconds and not w.pipe.poll()]
        found = [answer for answer in came if answer is not None]
        return found + [self._lost(member, f"no answer within {self._seconds:g} seconds") for member in late]

    def doing(self) -> list[tuple[str, float]]:
        """Return what each worker grades, and for how many seconds."""
        now = time.monotonic()
        return [(w.job.name, now - w.since) if w.job else ("", 0.0) for w in self._workers]

    def close(self) -> None:
        """End all workers, with signals deferred; kill those that do not end in time."""
        with signals_deferred():
            workers, self._workers, self._leaving = self._workers + self._leaving, [], []
            for member in workers:
                _dismiss(member)
            self._wait_for_the_end(workers)

    def _wait_for_the_end(self, workers: list[_Worker]) -> None:
        end = time.monotonic() + _STOP_SECONDS
        for member in workers:
            while member.process.is_alive() and (left := end - time.monotonic()) > 0:
                member.process.join(min(_ASK_AGAIN_SECONDS, left))
                if member.process.is_alive():
                    member.process.terminate()  # once more, in case the first signal was lost
            _kill(member.process)

    def _answer(self, member: _Worker) -> tuple[Job, Answer] | None:
        """Receive a busy worker's message; return the answer to its job, or None for any other message."""
        job = member.job
        assert job is not None  # noqa: S101 - only those that have one are asked
        try:
            if not member.pipe.poll():
                raise EOFError
            found: Answer | ExerciseDone | Recovered = member.pipe.recv()
        except (EOFError, OSError):
            return self._lost(member, "")
        if isinstance(found, ExerciseDone):
            self.on_step(job, found)
            return None
        if isinstance(found, Recovered):
            member.recovers = False
            return None
        member.job, member.graded = None, member.graded + 1
        if isinstance(found, MachineFault):
            member.recovers, member.since = True, time.monotonic()
            return job, found
        if member.graded >= self._share:
            with signals_deferred():
                self._workers[self._workers.index(member)] = self._hire()
                _dismiss(member)
                member.since = time.monotonic()
                self._leaving.append(member)
            for gone in [w for w in self._leaving if time.monotonic() - w.since > _STOP_SECONDS]:
                self._leaving.remove(gone)
                _kill(gone.process)
        return job, found

    def _lost(self, member: _Worker, reason: str) -> tuple[Job, Answer]:
        """Replace a worker that died or hangs; return its job with a fault."""
        job = member.job
        assert job is not None  # noqa: S101 - only those that have one are asked
        _kill(member.process)
        reason = reason or f"the worker was ended ({_describe_exit(member.process.exitcode)})"
        self._replace(member)
        return job, MachineFault(reason)

    def _hire(self) -> _Worker:
        here, there = self._context.Pipe()
        arguments = (there, self._course, self._make, self._patience, self._ill)
        process = self._context.Process(target=run, args=arguments, daemon=False)
        process.start()
        there.close()
        return _Worker(process, here)

    def _replace(self, member: _Worker) -> _Worker:
        """Kill a worker, and start another in its place."""
        _kill(member.process)
        member.pipe.close()
        with signals_deferred():
            new = self._hire()
            self._workers[self._workers.index(member)] = new
        return new


def _dismiss(member: _Worker) -> None:
    """Signal a worker to end: closing its pipe is not enough, as later workers inherited it."""
    member.pipe.close()
    member.process.terminate()


def _kill(process: BaseProcess) -> None:
    if process.is_alive():
        with contextlib.suppress(OSError):
            process.kill()
    process.join()


def _describe_exit(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit status {code}"
