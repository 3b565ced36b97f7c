"""Workers: what hangs or dies is replaced, and nothing that goes wrong around a result costs it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from unittest.mock import Mock

import pytest

from grader.batch import workers
from grader.batch.job import Answer, Course, Done, Job, MachineFault
from grader.batch.workers import JobGrader, LocalWorkers, shared_flag
from grader.errors import SandboxError
from grader.intake.class_listing import HandIn
from grader.model import Limits, Submission
from grader.sandbox.base import Probe
from tests.fake_backends import AnsweringBackend, FakeBox

pytestmark = pytest.mark.processes

ADA = Submission("ada", {"solvers/dfs.py": b"class DFS: pass"})


def job(name: str = "ada") -> Job:
    return Job(HandIn(name, ()), submission=ADA)


class Sick(AnsweringBackend):
    """A back end that opens nothing until it is well again."""

    well_after = 0
    tried = 0

    def probe(self) -> Probe:
        type(self).tried += 1
        return Probe("fake", self.tried > self.well_after, "ill")

    def open(self, limits: Limits) -> FakeBox:
        if self.tried <= self.well_after:
            raise SandboxError("no engine answers")
        return super().open(limits)


class Hanging(AnsweringBackend):
    def open(self, limits: Limits) -> FakeBox:
        time.sleep(600)
        raise AssertionError


class Deadly(AnsweringBackend):
    def open(self, limits: Limits) -> FakeBox:
        os._exit(7)


class Broken(AnsweringBackend):
    def open(self, limits: Limits) -> FakeBox:
        raise ZeroDivisionError("oops")


def test_a_worker_waits_until_the_sandbox_works_again(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sick, "well_after", 3)
    monkeypatch.setattr(Sick, "tried", 0)
    bench = JobGrader(course, Sick, patience=5.0)
    assert bench.grade(job(), None) == MachineFault("no engine answers")
    bench.recover()
    assert isinstance(bench.grade(job(), None), Done)
    bench.close()


def test_a_mistake_in_the_grader_is_a_fault_and_comes_with_its_trace(
    course: Course, logged_errors: list[str]
) -> None:
    found = JobGrader(course, Broken).grade(job(), None)
    assert isinstance(found, MachineFault)
    assert "ZeroDivisionError: oops" in found.reason
    assert list(found.complaints) == logged_errors
    assert 'raise ZeroDivisionError("oops")' in logged_errors.pop()


@pytest.fixture
def crew(request: pytest.FixtureRequest, course: Course) -> Iterator[LocalWorkers]:
    make, margin = request.param
    made = LocalWorkers(
        course, make, 2, margin=margin - course.plan.limits.submission_wall_seconds, patience=0.1
    )
    yield made
    made.close()


def answers(crew: LocalWorkers, count: int) -> dict[str, Answer]:
    found: dict[str, Answer] = {}
    end = time.monotonic() + 300
    while len(found) < count:
        assert time.monotonic() < end
        found |= {job.name: answer for job, answer in crew.wait(0.05)}
    return found


@pytest.mark.parametrize("crew", [(AnsweringBackend, 60.0)], indirect=True)
def test_jobs_go_to_those_who_wait(crew: LocalWorkers) -> None:
    crew.give(job("ada"), None)
    crew.give(job("bob"), None)
    assert crew.free() == 0
    assert {name for name, _ in crew.doing()} == {"ada", "bob"}
    assert {type(answer) for answer in answers(crew, 2).values()} == {Done}
    assert crew.free() == 2


@pytest.mark.parametrize("crew", [(Hanging, 0.5)], indirect=True)
def test_a_worker_that_hangs_is_replaced(crew: LocalWorkers) -> None:
    crew.give(job(), None)
    assert answers(crew, 1) == {"ada": MachineFault("no answer within 0.5 seconds")}
    assert crew.free() == 2


@pytest.mark.parametrize("crew", [(Deadly, 60.0)], indirect=True)
def test_a_worker_that_dies_is_replaced(crew: LocalWorkers) -> None:
    crew.give(job(), None)
    assert answers(crew, 1) == {"ada": MachineFault("the worker was ended (exit status 7)")}
    assert crew.free() == 2


def test_where_one_has_waited_in_vain_others_do_not_wait_as_long(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sick, "well_after", 10**9)
    monkeypatch.setattr(Sick, "tried", 0)
    ill = shared_flag()
    first, second = (JobGrader(course, Sick, patience=0.1, ill=ill) for _ in range(2))
    first.recover()
    tried = Sick.tried
    second.recover()
    assert Sick.tried == tried
    assert second.grade(job(), None) == MachineFault("no engine answers", lasting=True)


@pytest.mark.parametrize(("parent", "ended"), [(1, []), (2, [1])])
def test_a_grader_may_be_process_1_of_its_container(
    monkeypatch: pytest.MonkeyPatch, parent: int, ended: list[int]
) -> None:
    left: list[int] = []
    monkeypatch.setattr("ctypes.CDLL", lambda _: Mock())
    monkeypatch.setattr(os, "getppid", lambda: 1)
    monkeypatch.setattr(os, "_exit", left.append)
    workers.die_with_parent(parent)
    assert left == ended
