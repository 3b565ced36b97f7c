"""Workers on other machines: submissions go to a Dask cluster, the bytes of the results come back.

A task carries everything that a result depends on: the submission's files, the rubric and its mazes. So
machines share no disk, but need the same version of the grader; workers with another version are not used. No
job is lost with its scheduler: all jobs in flight are taken back, and sent again once a scheduler answers at
that address. Dask trusts whoever can reach its scheduler (cluster_scheduler.py).
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import math
import sys
import threading
import time
import warnings
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final

from grader.batch.cluster_scheduler import LOCAL, UNWATCHED, load_dask
from grader.batch.cluster_workers import RPC_SECONDS, EligibleWorkers, check_answer
from grader.batch.job import (
    Answer,
    Course,
    ExerciseDone,
    Job,
    MachineFault,
    fault_of,
    key_of,
    read_work,
    sources_digest,
)
from grader.batch.workers import MARGIN_SECONDS, JobGrader
from grader.course.plan import make_plan
from grader.course.rubric import Rubric
from grader.errors import GraderError, InputError, Unreached
from grader.reader import Reader
from grader.sandbox.base import BACKENDS
from grader.session.submission_limits import MOST
from grader.text import visible

AHEAD: Final = 2
"""Jobs sent to a worker at once: the one that it grades, and the next one."""
CONNECT_SECONDS: Final = 20.0
"""How long the scheduler may take to answer when a batch begins."""
PATIENCE_SECONDS: Final = 60.0
"""How long a batch waits for a lost scheduler."""
_REPORT_SECONDS: Final = 30.0
"""A lack of workers is reported after 30 seconds, since workers are first asked for their versions."""
WORKERS_SECONDS: Final = 600.0
"""How long a batch waits for eligible workers."""
_AGAIN_SECONDS: Final = 2.0
"""The longest attempt to reconnect, and the pause after it."""
_one_at_a_time: Final = threading.Lock()
_graders: Final[dict[tuple[str, str, str | None], JobGrader]] = {}

_LOGGERS: Final = ("distributed", "distributed.client", "asyncio")
"""These loggers are silenced: Dask's own, whose client sets its level on import, and that of asyncio."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A job that was sent to the cluster and has no answer yet."""

    job: Job
    since: float
    key: str
    """The key that its result must have, a digest of all that the result depends on."""
    known: str | None
    workers: frozenset[str]
    """The addresses of the workers that it may have been sent to."""


@dataclass(frozen=True, slots=True)
class PackedCourse:
    """A course, serialized for workers."""

    rubric: Rubric
    sandbox: str
    language: str | None
    sources: str
    """The digest of the grader's sources where the batch was started."""


class Cluster:
    """The workers of a Dask cluster; if one dies, its jobs go to another."""

    def __init__(self, address: str, course: Course, *, waits: bool = False) -> None:
        """Connect, or start a cluster on this machine. Raises InputError if there is none.

        With ``waits``, wait for ever for a missing scheduler or missing workers; else methods raise
        GraderError after a while.
        """
        self._dask, self._address = load_dask(), address
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what is lost is told by us
        jobs = _local_jobs(address)
        self._own = _local(self._dask, jobs) if jobs else None
        asked = (course.plan.rubric, course.sandbox, course.language)
        self._packed = PackedCourse(*asked, sources_digest())
        self._course = course
        # how busy other machines are is not known here
        busiest = MOST * course.plan.limits.submission_wall_seconds
        self._seconds = AHEAD * (busiest + MARGIN_SECONDS)  # one that is queued before it on its worker, too
        self._waits = waits
        self.on_step: Callable[[Job, ExerciseDone], None] = lambda *_: None
        """Never called: the workers of a cluster send nothing but their answers."""
        self._jobs: dict[Any, _Sent] = {}
        self._given_back: list[tuple[Job, Answer]] = []
        self._client: Any = None
        self._workers: EligibleWorkers | None = None
        self._trouble, self._since, self._next = "", time.monotonic(), 0.0
        try:
            self._connect(_AGAIN_SECONDS if waits else CONNECT_SECONDS)
        except (OSError, ValueError, ImportError) as error:
            if not waits or isinstance(error, ValueError):
                raise InputError(f"expected the address of a Dask scheduler or local:N: {error}") from None
            self._wait_for(f"no Dask scheduler answers at {address}", PATIENCE_SECONDS, "")

    @property
    def at_once(self) -> int:
        """The number of submissions that the present workers grade at once."""
        return len(self._workers.fit) if self._workers else 0

    def free(self) -> int:
        """Return how many more jobs the present workers would take. Raises GraderError if none appear."""
        if not self._is_connected():
            return 0
        assert self._workers is not None  # noqa: S101 - those of the connection
        with self._giving_back():
            fit = self._workers.refresh()
            if fit or self._jobs:
                self._since, self._trouble = time.monotonic(), ""
            else:
                trouble = f"no worker of the Dask scheduler at {self._address} may grade"
                self._wait_for(trouble, WORKERS_SECONDS, "start some", report_after=_REPORT_SECONDS)
            return max(0, AHEAD * len(fit) - len(self._jobs))
        return 0

    def give(self, job: Job, known: str | None) -> None:
        """Read the submission on this machine, and send it to a worker."""
        fit = self._workers.fit if self._workers else frozenset[str]()
        asked: dict[str, Any] = {"pure": False}
        if fit:
            asked |= {"workers": sorted(fit), "allow_other_workers": False}
        try:
            reader = Reader.of(self._course.plan.limits)
            read, work = read_work(job.in_course(self._course), reader)
        except (OSError, Unreached) as error:
            self._given_back.append((job, fault_of(error, job.hand_in)))
            return
        sent, key = replace(job, submission=read, work=work), key_of(read, self._course, work)
        with self._giving_back():
            self._check_connection()
            future = self._client.submit(grade_task, sent, self._packed, known, **asked)
            self._jobs[future] = _Sent(job, time.monotonic(), key, known, fit)
            return
        self._given_back.append((job, MachineFault("the cluster was lost", waits=True)))

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        """Return the checked answers that arrived within ``seconds``.

        A job is a fault if it killed several workers, or if its worker was lost or never answers.
        """
        found: list[tuple[Job, Answer]] = []
        with self._giving_back():
            self._check_connection()
            if self._jobs and not self._given_back:
                with contextlib.suppress(TimeoutError):
                    self._dask.wait(list(self._jobs), timeout=seconds, return_when="FIRST_COMPLETED")
            self._check_connection()
            for future in [future for future in self._jobs if future.done()]:
                answer = _get_answer(future, self._jobs[future])
                self._check_connection()
                del self._jobs[future]
                found.append(answer)
            found += self._give_up_late() + self._take_orphans()
        given_back, self._given_back = self._given_back, []
        return found + given_back

    def _give_up_late(self) -> list[tuple[Job, Answer]]:
        """Give up overdue jobs, and return them as faults."""
        last = time.monotonic() - self._seconds
        late = [future for future, sent in self._jobs.items() if sent.since < last]
        if late:
            self._client.cancel(late)
        fault = MachineFault(f"no answer within {self._seconds:g} seconds")
        return [(self._jobs.pop(future).job, fault) for future in late]

    def _take_orphans(self) -> list[tuple[Job, Answer]]:
        """Return jobs whose possible workers have all disappeared, to be sent again."""
        if self._workers is None or not any(sent.workers for sent in self._jobs.values()):
            return []
        there = self._workers.refresh()
        orphans = [f for f, sent in self._jobs.items() if sent.workers and there.isdisjoint(sent.workers)]
        if orphans:
            self._client.cancel(orphans)
        fault = MachineFault("all workers that had it are gone", waits=True)
        return [(self._jobs.pop(future).job, fault) for future in orphans]

    def doing(self) -> list[tuple[str, float]]:
        """Return up to 16 of the jobs that were sent, each with the seconds since."""
        now = time.monotonic()
        return [(sent.job.name, now - sent.since) for sent in list(self._jobs.values())[:16]]

    def close(self) -> None:
        """Cancel all jobs that were sent, and disconnect."""
        self._leave()
        if self._own is not None:
            self._own.close(timeout=10)

    def _connect(self, seconds: float) -> None:
        """Connect to the scheduler. Raises OSError if none answers."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Dask tells of its own versions, in a table
            self._client = self._dask.Client(self._own or self._address, timeout=seconds)
        self._workers = EligibleWorkers(self._client, self._packed.sandbox, self._say)

    def _is_connected(self) -> bool:
        """Try to reconnect if an attempt is due; return whether there is a scheduler.

        Raises GraderError once it has been missing for too long.
        """
        with self._giving_back():
            if self._client is not None:
                self._check_connection()
                return True
        if time.monotonic() < self._next:
            return False
        try:
            self._connect(_AGAIN_SECONDS)
        except (OSError, ValueError, ImportError):
            self._next = time.monotonic() + _AGAIN_SECONDS
            self._wait_for(
                f"no Dask scheduler answers at {self._address}", PATIENCE_SECONDS, "start it again"
            )
            return False
        self._say(f"connected to the Dask scheduler at {self._address}: it goes on")
        self._since, self._trouble = time.monotonic(), ""
        return True

    def _check_connection(self) -> None:
        """Raise OSError if the connection is closed."""
        if self._client is None or self._client.status != "running":
            raise OSError("the connection was closed")

    @contextlib.contextmanager
    def _giving_back(self) -> Iterator[None]:
        """Take all jobs back if the scheduler disappears in the block; that does not count as an attempt."""
        try:
            yield
        except GraderError:
            raise
        except (Exception, CancelledError) as error:  # noqa: BLE001 - whatever Dask raises
            reason = visible(str(error) or type(error).__name__, limit=200, one_line=True)
            fault = MachineFault(f"the cluster was lost: {reason}", waits=True)
            self._given_back += [(sent.job, fault) for sent in self._jobs.values()]
            self._jobs.clear()
            if self._client is None:
                return
            self._since, self._trouble = time.monotonic(), ""
            self._wait_for(f"the Dask scheduler at {self._address} is lost", math.inf, "")
            self._leave()

    def _wait_for(self, trouble: str, most: float, advice: str, *, report_after: float = 0.0) -> None:
        """Report once what the batch waits for.

        Raises GraderError after ``most`` seconds, unless it waits for ever.
        """
        seconds = time.monotonic() - self._since
        if not self._waits and seconds >= most:
            raise GraderError(
                f"{trouble}, for {seconds:.0f} seconds now; what is graded is kept: {advice}, then go on "
                "by the same command"
            )
        if not self._trouble and seconds >= report_after:
            self._trouble = trouble
            self._say(f"{trouble}: what is not graded waits")

    def _say(self, text: str) -> None:
        print(f"grader: {text}", file=sys.stderr, flush=True)

    def _leave(self) -> None:
        """Cancel all jobs that were sent, and close the connection."""
        client, self._client, self._workers = self._client, None, None
        if client is not None:
            with contextlib.suppress(Exception, CancelledError):  # the scheduler may be gone
                if client.status == "running":
                    client.cancel(list(self._jobs))
                client.close(timeout=5)
        self._jobs.clear()


def grade_task(job: Job, packed: PackedCourse, known: str | None) -> Answer:
    """Grade a submission on a worker; each process grades one at a time, as on a single machine."""
    if packed.sources != sources_digest():
        return MachineFault(
            "this worker has another version of the grader: install the same everywhere", lasting=True
        )
    with _one_at_a_time:
        grader = _job_grader(packed)
        found = grader.grade(job, known)
        if isinstance(found, MachineFault):
            grader.recover()
        return found


def _job_grader(packed: PackedCourse) -> JobGrader:
    """Return this worker's cached grader for the course, closing that of another course."""
    key = (packed.rubric.digest, packed.sandbox, packed.language)
    if key not in _graders:
        for grader in _graders.values():
            grader.close()
        _graders.clear()
        course = Course(make_plan(packed.rubric), packed.sandbox, packed.language, is_compared=True)
        _graders[key] = JobGrader(course, BACKENDS[packed.sandbox])
    return _graders[key]


@atexit.register
def _close_graders() -> None:
    """Close the boxes that were started ahead, when the worker process ends."""
    for grader in _graders.values():
        grader.close()


def _get_answer(future: Any, sent: _Sent) -> tuple[Job, Answer]:
    """Return the checked answer of a task.

    An exception can only be Dask's: the task itself turns its own into answers.
    """
    try:
        found: object = future.result(timeout=RPC_SECONDS * AHEAD)
    except Exception as error:  # noqa: BLE001 - Dask's errors say nothing about the student
        return sent.job, MachineFault(f"the cluster failed: {type(error).__name__}: {error}"[:300])
    is_try = sent.job.to_try is not None
    return sent.job, check_answer(found, sent.job.name, key=sent.key, known=sent.known, is_try=is_try)


def _local_jobs(address: str) -> int:
    """Return N of the address ``local:N``; 0 for any other address. Raises InputError."""
    if not address.startswith(LOCAL):
        return 0
    count = address.removeprefix(LOCAL)
    if not count.isdecimal() or not 1 <= int(count) <= 256:
        raise InputError(f"expected local:N with N from 1 to 256, got {address!r}")
    return int(count)


def _local(dask: Any, jobs: int) -> Any:
    with import_module("dask.config").set(UNWATCHED):
        return dask.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            host="127.0.0.1",
        )
