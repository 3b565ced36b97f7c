"""Workers on other machines: submissions go to a Dask cluster, the bytes of the results come back.

A task carries all that a result depends on: the submission's files, the rubric and its mazes. So no
disk is shared; only the same version of the grader has to be installed, which each worker checks.
Dask trusts whoever can reach its scheduler: keep it in a network of your own.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import threading
import time
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Final

from grader.batch.checked_answer import checked
from grader.batch.job import Answer, Course, Fault, Job, key_of, nameless, sources_digest
from grader.batch.local_workers import MARGIN_SECONDS, workers_for
from grader.batch.worker import Bench
from grader.course.plan import make_plan
from grader.course.rubric import Rubric
from grader.errors import InputError, Unreached
from grader.intake.hand_in import read_hand_in
from grader.sandbox.registry import BACKENDS

AHEAD: Final = 2
"""Jobs that a worker has, the one in hand among them."""
LOCAL: Final = "local:"
CONNECT_SECONDS: Final = 20.0
_WAITS: Final = 2 * AHEAD
"""A job is waited for as long as four submissions may take: for those before it, and for its phases."""
_one_at_a_time: Final = threading.Lock()
_benches: Final[dict[tuple[str, str, str | None, str, int], Bench]] = {}

_UNWATCHED: Final = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}
"""Dask would note where each worker is in its code a hundred times a second, and wake up every process
fifty times to see whether it is in time: nobody looks at either."""
_LOGGERS: Final = ("distributed", "distributed.client")
"""Dask gives the client a level of its own when it is imported."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A job that is out there."""

    job: Job
    since: float
    key: str
    """The key that its result must have."""
    known: str | None


@dataclass(frozen=True, slots=True)
class Kit:
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

    def __init__(self, address: str, course: Course) -> None:
        """Connect, or start a cluster on this machine. Raises InputError."""
        self._dask = _dask()
        for name in _LOGGERS:
            logging.getLogger(name).setLevel(logging.ERROR)  # that a worker is lost is told by us
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # so is what still waited for it
        at_once = _local_jobs(address)
        self._own = _local(self._dask, at_once) if at_once else None
        try:
            self._client = self._dask.Client(self._own or address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            raise InputError(f"expected the address of a Dask scheduler or local:N: {error}") from None
        asked = (course.plan.rubric, course.sandbox, course.language, course.phases)
        self._kit = Kit(*asked, at_once, sources_digest())
        self._course = course
        self._seconds = _WAITS * (course.plan.limits.submission_wall_seconds + MARGIN_SECONDS)
        self._jobs: dict[Any, _Sent] = {}

    @property
    def at_once(self) -> int:
        """How many submissions are worked on at once by the workers that are there."""
        return self._kit.at_once or len(self._client.nthreads())

    def free(self) -> int:
        """How many more jobs the workers that are there would take."""
        return max(0, AHEAD * len(self._client.nthreads()) - len(self._jobs))

    def give(self, job: Job, known: str | None) -> None:
        """Read the submission here, and send it."""
        key = ""
        try:
            sent = replace(job, submission=job.submission or read_hand_in(job.hand_in))
        except (OSError, Unreached) as error:
            future = self._client.submit(_fault, nameless(str(error), job.hand_in), pure=False)
        else:
            assert sent.submission is not None  # noqa: S101 - it was just read
            key = key_of(sent.submission, self._course)
            future = self._client.submit(grade_task, sent, self._kit, known, pure=False)
        self._jobs[future] = _Sent(job, time.monotonic(), key, known)

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        """Return what came, where it fits; a job that killed several workers, or whose worker was lost or
        never answers, is a fault."""
        if self._jobs:
            with contextlib.suppress(TimeoutError):
                self._dask.wait(list(self._jobs), timeout=seconds, return_when="FIRST_COMPLETED")
        ended = [future for future in self._jobs if future.done()]
        return [_checked(future, self._jobs.pop(future)) for future in ended] + self._given_up()

    def _given_up(self) -> list[tuple[Job, Answer]]:
        """The jobs that no worker has answered for very long; what may come of them is not looked at."""
        last = time.monotonic() - self._seconds
        late = [future for future, sent in self._jobs.items() if sent.since < last]
        if late:
            self._client.cancel(late)
        fault = Fault(f"no answer within {self._seconds:g} seconds")
        return [(self._jobs.pop(future).job, fault) for future in late]

    def doing(self) -> list[tuple[str, float]]:
        """What is out there."""
        now = time.monotonic()
        return [(sent.job.name, now - sent.since) for sent in list(self._jobs.values())[:16]]

    def close(self) -> None:
        """Take back what is out there, and leave the cluster."""
        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be taken leave of
            self._client.cancel(list(self._jobs))
            self._client.close(timeout=5)
        if self._own is not None:
            self._own.close(timeout=10)


def grade_task(job: Job, kit: Kit, known: str | None) -> Answer:
    """Grade a submission on a worker; one at a time in a process, as on one machine."""
    if kit.sources != sources_digest():
        return Fault(
            "this worker has another version of the grader: install the same everywhere", lasting=True
        )
    with _one_at_a_time:
        bench = _bench(kit)
        found = bench.grade(job, known)
        if isinstance(found, Fault):
            bench.recover()
        return found


def _fault(reason: str) -> Answer:
    return Fault(reason)


def _bench(kit: Kit) -> Bench:
    """The worker's bench for this course, made once."""
    key = (kit.rubric.digest, kit.sandbox, kit.language, kit.phases, kit.at_once)
    if key not in _benches:
        for bench in _benches.values():
            bench.close()
        _benches.clear()
        course = Course(make_plan(kit.rubric), kit.sandbox, kit.language, kit.phases, kit.at_once)
        _benches[key] = Bench(course, BACKENDS[kit.sandbox])
    return _benches[key]


@atexit.register
def _leave() -> None:
    """End the boxes that wait."""
    for bench in _benches.values():
        bench.close()


def _checked(future: Any, sent: _Sent) -> tuple[Job, Answer]:
    """What a task came to; an exception is Dask's, since the task turns its own into answers."""
    try:
        found: object = future.result()
    except Exception as error:  # noqa: BLE001 - whatever Dask raises, it is no word about the student
        return sent.job, Fault(f"the cluster failed: {type(error).__name__}: {error}"[:300])
    return sent.job, checked(found, sent.job.name, key=sent.key, known=sent.known)


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
