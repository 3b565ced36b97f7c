"""Workers for a course whose submissions come one by one: on this machine, or of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil
from os import cpu_count
from typing import Protocol

from grader.batch.class_run import check_reference
from grader.batch.job import Course, ExerciseDone, Job
from grader.batch.orchestrator import Executor
from grader.batch.workers import LocalWorkers
from grader.sandbox.base import AUTO, BACKENDS, choose
from grader.session.submission_limits import stretch_now


class Workers(Executor, Protocol):
    """The workers of one course; those that die are replaced."""

    on_step: Callable[[Job, ExerciseDone], None]
    """Called with the job whenever one of this machine has graded an exercise."""

    @property
    def at_once(self) -> int:
        """How many jobs they grade at once; 0 while a cluster has none that fits."""


def choose_sandbox(name: str = AUTO, *, alone: bool = True) -> tuple[str, str]:
    """Return the name of a sandbox that works here, and a line that says why it, and what it protects from.

    ``alone`` says whether it runs one box after the other. Raises SandboxError if none works.
    """
    backend, told = choose(name, alone=alone)
    return backend.name, told


def check_course(course: Course, tell: Callable[[str], None] = lambda _: None) -> None:
    """Grade the right answers of a course; wait for a sandbox that fails, and tell so.

    Raises SandboxError if they do not get full marks, or the sandbox does not recover. Workers that are
    started afterwards share what was worked out on the way.
    """
    check_reference(course, BACKENDS[course.sandbox](), tell)


def start_workers(course: Course, jobs: int | None = None, *, cluster: str | None = None) -> Workers:
    """Start workers here, by default one a core, or wait for those of a Dask cluster. Raises InputError."""
    if cluster:
        from grader.batch.cluster import Cluster

        return Cluster(cluster, course, waits=True)
    return LocalWorkers(course, BACKENDS[course.sandbox], jobs or cpu_count() or 1)


def most_seconds_now(courses: Iterable[Course]) -> float:
    """Return how long an attempt of any of these courses may take, as busy as this machine is now."""
    return ceil(stretch_now()) * max(course.rules.most_seconds for course in courses)
