"""Workers: what hangs or dies is replaced, and nothing that goes wrong around a result costs it."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, Pipe
from multiprocessing.context import ForkProcess
from multiprocessing.process import BaseProcess
from pathlib import Path
from unittest.mock import Mock

import pytest

from grader.batch import orchestrator, workers
from grader.batch.job import Answer, Course, Done, Job, MachineFault, Unchanged, key_of
from grader.batch.journal import Journal
from grader.batch.orchestrator import Batch
from grader.batch.phase_gate import PhaseGate, named_gate, shared_seconds
from grader.batch.workers import JobGrader, LocalWorkers
from grader.errors import SandboxError
from grader.grading import story
from grader.intake.class_listing import HandIn
from grader.model import Limits, Submission
from grader.sandbox.base import Box, Ending, Probe
from grader.session.submission_limits import most_seconds
from tests.fake_backends import Answer as AnswerOf
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


class Stuck(AnsweringBackend):
    """Boxes that cannot be removed."""

    def open(self, limits: Limits) -> FakeBox:
        box = super().open(limits)

        def close() -> Ending:
            raise SandboxError("the engine does not remove the container")

        box.close = close  # type: ignore[method-assign]
        return box


class Hanging(AnsweringBackend):
    def open(self, limits: Limits) -> FakeBox:
        time.sleep(600)
        raise AssertionError


class Deadly(AnsweringBackend):
    def open(self, limits: Limits) -> FakeBox:
        os._exit(7)


def nothing(*_: object) -> dict[str, object]:
    """A solver that returns None, whatever the maze."""
    run = {"returned": {"type": "none"}, "used_search": False, "late_looks": 0, "changed": None}
    streams: dict[str, list[object]] = {"taken": [], "asked": [], "probed": [], "tested": []}
    return {"outcome": "returned", "value": {"runs": [{**run, **streams}]}}


@dataclass
class Wrong(AnsweringBackend):
    """Boxes in which every solver finds nothing."""

    answer: AnswerOf = nothing


class Broken(AnsweringBackend):
    def open(self, limits: Limits) -> FakeBox:
        raise ZeroDivisionError("oops")


def test_a_box_that_cannot_be_removed_costs_a_complaint(course: Course) -> None:
    bench = JobGrader(course, Stuck)
    found = bench.grade(job(), None)
    assert isinstance(found, Done)
    assert "does not remove the container" in found.complaints[0]
    bench.close()


def test_an_unchanged_submission_opens_no_box(course: Course) -> None:
    bench = JobGrader(course, Deadly)
    assert bench.grade(job(), key_of(ADA, course)) == Unchanged()


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


def test_a_sandbox_that_stays_ill_is_waited_for_once(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sick, "well_after", 10**9)
    monkeypatch.setattr(Sick, "tried", 0)
    bench = JobGrader(course, Sick, patience=0.1)
    bench.grade(job(), None)
    bench.recover()
    tried = Sick.tried
    assert bench.grade(job(), None) == MachineFault("no engine answers", lasting=True)
    bench.recover()
    assert Sick.tried == tried


def test_a_mistake_in_the_grader_is_a_fault_and_comes_with_its_trace(
    course: Course, logged_errors: list[str]
) -> None:
    found = JobGrader(course, Broken).grade(job(), None)
    assert isinstance(found, MachineFault)
    assert "ZeroDivisionError: oops" in found.reason
    assert list(found.complaints) == logged_errors
    assert 'raise ZeroDivisionError("oops")' in logged_errors.pop()


def test_a_diagnosis_that_fails_is_a_complaint_beside_the_result(
    course: Course, monkeypatch: pytest.MonkeyPatch, logged_errors: list[str]
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("no model")

    monkeypatch.setattr(story, "diagnose", fails)
    bench = JobGrader(course, Wrong)
    found = bench.grade(job(), None)
    bench.close()
    assert isinstance(found, Done)
    assert list(found.complaints) == logged_errors
    assert "ZeroDivisionError: no model" in found.complaints[0]
    logged_errors.clear()


@pytest.fixture
def crew(request: pytest.FixtureRequest, course: Course) -> Iterator[LocalWorkers]:
    make, margin = request.param
    made = LocalWorkers(course, make, 2, margin=margin - most_seconds(course.plan.limits), patience=0.1)
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


class Away(AnsweringBackend):
    """A back end that works again, for all workers, once any of them has tried it four times."""

    tried: Path

    def probe(self) -> Probe:
        with self.tried.open("a", encoding="ascii") as file:
            file.write("x")
        return Probe("fake", self._works(), "no engine answers")

    def open(self, limits: Limits) -> FakeBox:
        if not self._works():
            raise SandboxError("no engine answers")
        return super().open(limits)

    def _works(self) -> bool:
        return self.tried.exists() and self.tried.stat().st_size >= 4


def test_no_submission_uses_up_its_tries_while_the_sandbox_is_away(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Away, "tried", tmp_path / "tried", raising=False)
    monkeypatch.setattr(orchestrator, "RETRY_SECONDS", (0.0,))
    events: list[str] = []
    crew = LocalWorkers(course, Away, 4, patience=5.0)
    with Journal(tmp_path) as journal:
        try:
            tally = Batch([job()], course, journal, lambda event, **_: events.append(event)).run(crew)
        finally:
            crew.close()
    assert (events, tally.faults) == (["retry", "graded"], [])


def test_where_one_has_waited_in_vain_others_do_not_wait_as_long(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Sick, "well_after", 10**9)
    monkeypatch.setattr(Sick, "tried", 0)
    ill = shared_seconds()
    first, second = (JobGrader(course, Sick, patience=0.1, ill=ill) for _ in range(2))
    first.recover()
    tried = Sick.tried
    second.recover()
    assert Sick.tried == tried
    assert second.grade(job(), None) == MachineFault("no engine answers", lasting=True)


class Told(AnsweringBackend):
    """A back end whose boxes say in a file when they are opened and closed, and by whom."""

    told: Path

    def open(self, limits: Limits) -> FakeBox:
        box = super().open(limits)
        close = box.close
        self._tell("opened")

        def told_close() -> Ending:
            self._tell("closed")
            return close()

        box.close = told_close  # type: ignore[method-assign]
        return box

    def _tell(self, what: str) -> None:
        with self.told.open("a", encoding="ascii") as file:
            file.write(f"{os.getpid()} {what}\n")


def test_a_worker_that_has_done_its_share_is_relieved_and_leaves_no_box(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Told, "told", tmp_path / "told", raising=False)
    crew = LocalWorkers(course, Told, 1, share=2)
    try:
        for number in range(5):
            crew.give(job(f"s{number}"), None)
            assert {type(answer) for answer in answers(crew, 1).values()} == {Done}
            assert crew.free() == 1
    finally:
        crew.close()
    lines = [line.split() for line in (tmp_path / "told").read_text("ascii").splitlines()]
    graders = list(dict.fromkeys(pid for pid, _ in lines))
    assert len(graders) == 3
    for grader in graders:
        assert lines.count([grader, "opened"]) == lines.count([grader, "closed"])


def test_what_a_submission_waits_for_others_is_not_its_time(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = shared_seconds()
    monkeypatch.setattr(PhaseGate, "show", lambda _: setattr(seconds, "value", 1000.0))
    monkeypatch.setattr(PhaseGate, "step_aside", lambda _: None)
    monkeypatch.setattr(PhaseGate, "hide", lambda _: None)
    bench = JobGrader(replace(course, phases="a-gate"), AnsweringBackend, seconds=seconds)
    done = bench.grade(job(), None)
    assert isinstance(done, Done)
    assert done.seconds < 0


def test_boxes_are_let_go_of(course: Course) -> None:
    made: list[Box] = []

    class Counted(AnsweringBackend):
        def open(self, limits: Limits) -> FakeBox:
            made.append(super().open(limits))
            return made[-1]  # type: ignore[return-value]

    bench = JobGrader(course, Counted)
    bench.grade(job(), None)
    bench.close()
    assert [box.killed for box in made] == [True] * len(made)  # type: ignore[attr-defined]


def test_a_worker_that_waits_before_its_job_is_noted_keeps_it(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds, send = shared_seconds(), Connection.send
    monkeypatch.setattr(workers, "shared_seconds", lambda: seconds)

    def send_slowly(pipe: Connection, sent: object) -> None:
        send(pipe, sent)
        while math.isfinite(seconds.value):
            time.sleep(0.01)

    with named_gate() as name:
        crew = LocalWorkers(replace(course, phases=name), AnsweringBackend, 1)
        hidden = PhaseGate(name, shared_seconds())
        hidden.show()
        hidden.hide()
        try:
            with monkeypatch.context() as patch:
                patch.setattr(Connection, "send", send_slowly)
                crew.give(job(), None)
            assert crew.wait(0) == []
            hidden.leave()
            assert {type(answer) for answer in answers(crew, 1).values()} == {Done}
        finally:
            hidden.leave()
            crew.close()


def refilled(pipe: Connection) -> Connection:
    """Return another pipe in which all lies already that a worker says of its job."""
    said = [pipe.recv()]
    while not isinstance(said[-1], Done):
        said.append(pipe.recv())
    assert len(said) > 1
    here, there = Pipe()
    for message in said:
        there.send(message)
    pipe.close()
    return here


def test_an_answer_that_came_while_the_grader_stood_still_counts(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers._Worker, "took", lambda member: math.inf if member.pipe.poll() else 0.0)
    crew = LocalWorkers(course, AnsweringBackend, 1)
    try:
        crew.give(job(), None)
        crew._workers[0].pipe = refilled(crew._workers[0].pipe)
        assert {type(answer) for answer in answers(crew, 1).values()} == {Done}
    finally:
        crew.close()


def test_workers_are_ended_where_not_all_of_them_can_be_started(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[BaseProcess] = []
    start = ForkProcess.start

    def start_two(process: ForkProcess) -> None:
        if len(started) == 2:
            raise KeyboardInterrupt
        start(process)
        started.append(process)

    monkeypatch.setattr(ForkProcess, "start", start_two)
    with pytest.raises(KeyboardInterrupt):
        LocalWorkers(course, AnsweringBackend, 3)
    assert [process.is_alive() for process in started] == [False, False]


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
