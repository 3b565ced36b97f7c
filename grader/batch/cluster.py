"""Workers on other machines: submissions go to a Dask cluster, the bytes of the results come back.

A task carries all that a result depends on: the submission's files, the rubric and its mazes. So no
disk is shared; only the same version of the grader has to be installed: a worker that has another is
left out. A scheduler that is lost takes no job with it: all that were out there are given back, and are
given out again when there is one at that address. Dask trusts whoever can reach its scheduler: keep it in a
network of your own.
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
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final

from grader.batch.check_answer import check_answer
from grader.batch.cluster_workers import RPC_SECONDS, EligibleWorkers
from grader.batch.job import Answer, Course, Job, MachineFault, key_of, nameless, sources_digest
from grader.batch.local_workers import MARGIN_SECONDS, workers_for
from grader.batch.worker import JobGrader
from grader.course.plan import make_plan
from grader.course.rubric import Rubric
from grader.errors import GraderError, InputError, Unreached
from grader.intake.hand_ins import read_hand_in
from grader.sandbox.registry import BACKENDS
from grader.text import visible

AHEAD: Final = 2
"""Jobs that a worker has, the one in hand among them."""
LOCAL: Final = "local:"
CONNECT_SECONDS: Final = 20.0
PATIENCE_SECONDS: Final = 60.0
"""How long a batch waits for a scheduler that was lost."""
_TOLD_SECONDS: Final = 30.0
"""How long nothing is said, since workers are asked first what they have."""
WORKERS_SECONDS: Final = 600.0
"""How long it waits for workers that may grade."""
_AGAIN_SECONDS: Final = 2.0
"""How long one try to connect again takes, and the pause after it."""
_WAITS: Final = 2 * AHEAD
"""A job is waited for as long as four submissions may take: for those before it, and for its phases."""
_one_at_a_time: Final = threading.Lock()
_benches: Final[dict[tuple[str, str, str | None, str, int], JobGrader]] = {}

_UNWATCHED: Final = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}
"""Dask would note where each worker is in its code a hundred times a second, and wake up every process
fifty times to see whether it is in time: nobody looks at either."""
_LOGGERS: Final = ("distributed", "distributed.client", "asyncio")
"""Dask gives the client a level of its own when it is imported; asyncio tells of what still waited for it."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A job that is out there."""

    job: Job
    since: float
    key: str
    """The key that its result must have."""
    known: str | None
    workers: frozenset[str]
    """Who may have it."""


@dataclass(frozen=True, slots=True)
class PackedCourse:
    """A course, as it travels."""

    rubric: Rubric
    sandbox: str
    language: str | None
    phases: str
    at_once: int
    sources: str
    """The digest of the grader's sources where the batch was started."""


class Cluster:
    """Workers of a Dask cluster; one that dies loses nothing, as its jobs go to another."""

    def __init__(self, address: str, course: Course, *, waits: bool = False) -> None:
        """Connect, or start a cluster on this machine. Raises InputError where there is none.

        One that ``waits`` does so for as long as there is no scheduler, or no worker; else it ends with
        GraderError after a while.
        """
        self._dask, self._address = _dask(), address
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what is lost is told by us
        at_once = _local_jobs(address)
        self._own = _local(self._dask, at_once) if at_once else None
        asked = (course.plan.rubric, course.sandbox, course.language, course.phases)
        self._kit = PackedCourse(*asked, at_once, sources_digest())
        self._course = course
        self._seconds = _WAITS * (course.plan.limits.submission_wall_seconds + MARGIN_SECONDS)
        self._waits = waits
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
        """How many submissions are worked on at once by the workers that are there."""
        return self._kit.at_once or (len(self._workers.fit) if self._workers else 0)

    def free(self) -> int:
        """How many more jobs the workers that are there would take. Raises GraderError where none comes."""
        if not self._is_connected():
            return 0
        assert self._workers is not None  # noqa: S101 - those of the connection
        with self._losing():
            fit = self._workers.look()
            if fit or self._jobs:
                self._since, self._trouble = time.monotonic(), ""
            else:
                trouble = f"no worker of the Dask scheduler at {self._address} may grade"
                self._wait_for(trouble, WORKERS_SECONDS, "start some", told_after=_TOLD_SECONDS)
            return max(0, AHEAD * len(fit) - len(self._jobs))
        return 0

    def give(self, job: Job, known: str | None) -> None:
        """Read the submission here, and send it."""
        key, fit = "", self._workers.fit if self._workers else frozenset[str]()
        asked: dict[str, Any] = {"pure": False}
        if fit:
            asked |= {"workers": sorted(fit), "allow_other_workers": False}
        try:
            sent = replace(job, submission=job.submission or read_hand_in(job.hand_in))
        except (OSError, Unreached) as error:
            self._given_back.append((job, MachineFault(nameless(str(error), job.hand_in))))
            return
        assert sent.submission is not None  # noqa: S101 - it was just read
        key = key_of(sent.submission, self._course)
        with self._losing():
            self._see_it_is_there()
            future = self._client.submit(grade_task, sent, self._kit, known, **asked)
            self._jobs[future] = _Sent(job, time.monotonic(), key, known, fit)
            return
        self._given_back.append((job, MachineFault("the cluster was lost", waits=True)))

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        """Return what came, where it fits; a job that killed several workers, or whose worker was lost or
        never answers, is a fault."""
        found: list[tuple[Job, Answer]] = []
        with self._losing():
            self._see_it_is_there()
            if self._jobs and not self._given_back:
                with contextlib.suppress(TimeoutError):
                    self._dask.wait(list(self._jobs), timeout=seconds, return_when="FIRST_COMPLETED")
            self._see_it_is_there()
            for future in [future for future in self._jobs if future.done()]:
                answer = _checked(future, self._jobs[future])
                self._see_it_is_there()
                del self._jobs[future]
                found.append(answer)
            found += self._given_up() + self._orphans()
        given_back, self._given_back = self._given_back, []
        return found + given_back

    def _given_up(self) -> list[tuple[Job, Answer]]:
        """The jobs that no worker has answered for very long; what may come of them is not looked at."""
        last = time.monotonic() - self._seconds
        late = [future for future, sent in self._jobs.items() if sent.since < last]
        if late:
            self._client.cancel(late)
        fault = MachineFault(f"no answer within {self._seconds:g} seconds")
        return [(self._jobs.pop(future).job, fault) for future in late]

    def _orphans(self) -> list[tuple[Job, Answer]]:
        """The jobs that only workers may have who are all gone."""
        if self._workers is None or not any(sent.workers for sent in self._jobs.values()):
            return []
        there = self._workers.look()
        orphans = [f for f, sent in self._jobs.items() if sent.workers and there.isdisjoint(sent.workers)]
        if orphans:
            self._client.cancel(orphans)
        fault = MachineFault("all workers that had it are gone", waits=True)
        return [(self._jobs.pop(future).job, fault) for future in orphans]

    def doing(self) -> list[tuple[str, float]]:
        """What is out there."""
        now = time.monotonic()
        return [(sent.job.name, now - sent.since) for sent in list(self._jobs.values())[:16]]

    def close(self) -> None:
        """Take back what is out there, and leave the cluster."""
        self._leave()
        if self._own is not None:
            self._own.close(timeout=10)

    def _connect(self, seconds: float) -> None:
        """Raises OSError where nobody answers."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Dask tells of its own versions, in a table
            self._client = self._dask.Client(self._own or self._address, timeout=seconds)
        self._workers = EligibleWorkers(self._client, self._kit.sandbox, self._say)

    def _is_connected(self) -> bool:
        """Whether there is a scheduler; now and then another try is made. Raises GraderError after many."""
        with self._losing():
            if self._client is not None:
                self._see_it_is_there()
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

    def _see_it_is_there(self) -> None:
        if self._client is None or self._client.status != "running":
            raise OSError("the connection was closed")

    @contextlib.contextmanager
    def _losing(self) -> Iterator[None]:
        """Where the scheduler is gone, have all jobs given back: they wait, and it was no try."""
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

    def _wait_for(self, trouble: str, most: float, advice: str, *, told_after: float = 0.0) -> None:
        """Tell what is waited for, once. Raises GraderError after so many seconds, unless it always waits."""
        seconds = time.monotonic() - self._since
        if not self._waits and seconds >= most:
            raise GraderError(
                f"{trouble}, for {seconds:.0f} seconds now; what is graded is kept: {advice}, then go on "
                "by the same command with --resume"
            )
        if not self._trouble and seconds >= told_after:
            self._trouble = trouble
            self._say(f"{trouble}: what is not graded waits")

    def _say(self, text: str) -> None:
        print(f"grader: {text}", file=sys.stderr, flush=True)

    def _leave(self) -> None:
        client, self._client, self._workers = self._client, None, None
        if client is not None:
            with contextlib.suppress(
                Exception, CancelledError
            ):  # a scheduler that is gone is not taken leave of
                if client.status == "running":
                    client.cancel(list(self._jobs))
                client.close(timeout=5)
        self._jobs.clear()


def grade_task(job: Job, kit: PackedCourse, known: str | None) -> Answer:
    """Grade a submission on a worker; one at a time in a process, as on one machine."""
    if kit.sources != sources_digest():
        return MachineFault(
            "this worker has another version of the grader: install the same everywhere", lasting=True
        )
    with _one_at_a_time:
        bench = _bench(kit)
        found = bench.grade(job, known)
        if isinstance(found, MachineFault):
            bench.recover()
        return found


def _bench(kit: PackedCourse) -> JobGrader:
    """The worker's bench for this course, made once."""
    key = (kit.rubric.digest, kit.sandbox, kit.language, kit.phases, kit.at_once)
    if key not in _benches:
        for bench in _benches.values():
            bench.close()
        _benches.clear()
        course = Course(make_plan(kit.rubric), kit.sandbox, kit.language, kit.phases, kit.at_once)
        _benches[key] = JobGrader(course, BACKENDS[kit.sandbox])
    return _benches[key]


@atexit.register
def _leave() -> None:
    """End the boxes that wait."""
    for bench in _benches.values():
        bench.close()


def _checked(future: Any, sent: _Sent) -> tuple[Job, Answer]:
    """What a task came to; an exception is Dask's, since the task turns its own into answers."""
    try:
        found: object = future.result(timeout=RPC_SECONDS * AHEAD)
    except Exception as error:  # noqa: BLE001 - whatever Dask raises, it is no word about the student
        return sent.job, MachineFault(f"the cluster failed: {type(error).__name__}: {error}"[:300])
    return sent.job, check_answer(found, sent.job.name, key=sent.key, known=sent.known)


def _dask() -> Any:
    """The package, which few need."""
    try:
        return import_module("distributed")
    except ImportError:
        raise InputError("--cluster needs Dask: install the extra [cluster]") from None


def _local_jobs(address: str) -> int:
    """How many jobs a cluster on this machine is asked for; 0 where another one is."""
    if not address.startswith(LOCAL):
        return 0
    count = address.removeprefix(LOCAL)
    if not count.isdecimal() or not 1 <= int(count) <= 256:
        raise InputError(f"expected local:N with N from 1 to 256, got {address!r}")
    return int(count)


def _local(dask: Any, jobs: int) -> Any:
    """A cluster of processes on this machine."""
    with import_module("dask.config").set(_UNWATCHED):
        return dask.LocalCluster(
            n_workers=workers_for(jobs),
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            host="127.0.0.1",
        )
