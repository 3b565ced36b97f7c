"""Workers on other machines that lie: what is no answer, or another's, is filed under nobody's name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from grader.batch import cluster
from grader.batch.cluster import Cluster
from grader.batch.cluster_workers import check_answer
from grader.batch.job import Answer, Course, Done, Job, MachineFault, Unchanged, answer
from grader.course.plan import load_plan
from grader.intake.class_listing import HandIn
from grader.model import Submission
from tests.fake_backends import AnsweringBackend


@pytest.fixture(scope="module")
def course(rubric: Path) -> Course:
    return Course(load_plan(rubric), "process")


def job(name: str) -> Job:
    return Job(HandIn(name, ()), submission=Submission(name, {"solvers/dfs.py": b"class DFS: ..."}))


def result(name: str, course: Course) -> Done:
    found = answer(job(name), course, AnsweringBackend(), None)
    assert isinstance(found, Done)
    return found


@pytest.fixture(scope="module")
def done(course: Course) -> Done:
    return result("ada", course)


def test_an_honest_answer_is_taken(done: Done) -> None:
    assert check_answer(done, "ada", key=done.key, known=None) is done
    assert check_answer(Unchanged(), "ada", key=done.key, known=done.key) == Unchanged()
    fault = MachineFault("no engine", lasting=True, complaints=("a trace",))
    assert check_answer(fault, "ada", key=done.key, known=None) == fault


class Surprising(Done):
    """More than a result."""


def with_changes(done: Done, **changed: object) -> bytes:
    return json.dumps({**json.loads(done.results), **changed}).encode()


def surprising(done: Done) -> object:
    fields = ("key", "results", "page", "staff", "code", "seconds", "score", "max_score")
    return Surprising(*(getattr(done, field) for field in fields))


LIES: dict[str, Callable[[Done], object]] = {
    "nothing": lambda done: None,
    "a mark": lambda done: 100.0,
    "a list": lambda done: [done],
    "more than a result": surprising,
    "a class": lambda done: Done,
    "unchanged, what was never graded": lambda done: Unchanged(),
    "a fault without words": lambda done: MachineFault(None),  # type: ignore[arg-type]
    "another's result": lambda done: replace(done, results=with_changes(done, submission="bob")),
    "another's result for staff": lambda done: replace(
        done, staff={"staff.json": with_changes(done, submission="bob")}
    ),
    "results of other files": lambda done: replace(done, key="0" * 64),
    "results that are text": lambda done: replace(done, results=done.results.decode()),  # type: ignore[arg-type]
    "results that are no JSON": lambda done: replace(done, results=b"{"),
    "results too deep": lambda done: replace(done, results=b"[" * 100_000),
    "results of another form": lambda done: replace(done, results=b'{"schema": 1}'),
    "results of another schema": lambda done: replace(done, results=with_changes(done, schema=2)),
    "a mark that is not in the results": lambda done: replace(done, score=done.score + 1),
    "a mark in the results alone": lambda done: replace(done, results=with_changes(done, score=100.0)),
    "a mark that is no number": lambda done: replace(done, score=True),
    "a mark that equals nothing": lambda done: replace(done, score=float("nan")),
    "a page that is none": lambda done: replace(done, page=None),  # type: ignore[arg-type]
    "a file elsewhere": lambda done: replace(done, staff={"../../grades.csv": b""}),
    "too much code": lambda done: replace(done, code=bytes(10**6)),
    "seconds without end": lambda done: replace(done, seconds=float("inf")),
    "complaints that are none": lambda done: replace(done, complaints=(1,)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_a_fault(name: str, done: Done) -> None:
    found = check_answer(LIES[name](done), "ada", key=done.key, known=None)
    assert isinstance(found, MachineFault)
    assert found.reason.startswith("a worker answered")


@dataclass(eq=False)
class Task:
    """A future of Dask's."""

    given: Job
    value: object
    over: bool = True
    cancelled: bool = False

    def done(self) -> bool:
        return self.over

    def result(self, timeout: float) -> object:
        return self.value


class LyingDask:
    """A cluster of one worker, which answers as it is told; the package and its client in one."""

    def __init__(self, answers: Callable[[Job], object]) -> None:
        self._answers = answers
        self.tasks: list[Task] = []
        self.is_silent = False
        self.status = "running"

    def Client(self, *_: object, **__: object) -> LyingDask:
        return self

    def close(self, timeout: float) -> None:
        self.status = "closed"

    def submit(self, _task: object, sent: Job, *_: object, pure: bool) -> Task:
        self.tasks.append(Task(sent, self._answers(sent), over=not self.is_silent))
        return self.tasks[-1]

    def wait(self, *_: object, **__: object) -> None:
        pass

    def cancel(self, tasks: list[Task]) -> None:
        for task in tasks:
            task.cancelled = True


def clustered(
    monkeypatch: pytest.MonkeyPatch, course: Course, answers: Callable[[Job], object]
) -> tuple[Cluster, LyingDask]:
    dask = LyingDask(answers)
    monkeypatch.setattr(cluster, "_dask", lambda: dask)
    return Cluster("tcp://scheduler", course), dask


def came(workers: Cluster) -> dict[str, Answer]:
    return {job.name: found for job, found in workers.wait(0.0)}


def test_results_that_were_swapped_are_nobodys(monkeypatch: pytest.MonkeyPatch, course: Course) -> None:
    other = {"ada": result("bob", course), "bob": result("ada", course)}
    workers, _ = clustered(monkeypatch, course, lambda sent: other[sent.name])
    for name in other:
        workers.give(job(name), None)
    assert {name: type(found) for name, found in came(workers).items()} == {
        "ada": MachineFault,
        "bob": MachineFault,
    }


def test_an_honest_worker_is_believed(monkeypatch: pytest.MonkeyPatch, course: Course, done: Done) -> None:
    workers, _ = clustered(monkeypatch, course, lambda sent: done)
    workers.give(job("ada"), None)
    assert came(workers) == {"ada": done}
    assert came(workers) == {}, "an answer comes once"


def test_a_worker_that_never_answers_is_given_up(
    monkeypatch: pytest.MonkeyPatch, course: Course, done: Done
) -> None:
    """What it sends in the end is not looked at: the submission is another's job by then."""
    now = [1000.0]
    monkeypatch.setattr("grader.batch.cluster.time.monotonic", lambda: now[0])
    workers, dask = clustered(monkeypatch, course, lambda sent: done)
    dask.is_silent = True
    workers.give(job("ada"), None)
    assert came(workers) == {}
    now[0] += 24 * 60 * 60.0
    found = came(workers)["ada"]
    assert isinstance(found, MachineFault)
    assert found.reason.startswith("no answer within")
    assert dask.tasks[0].cancelled
    dask.tasks[0].over = True
    assert came(workers) == {}


def test_a_question_as_an_answer_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch, course: Course, done: Done
) -> None:
    workers, _ = clustered(monkeypatch, course, lambda sent: done if sent.name == "ada" else print)
    for name in ("bob", "ada"):
        workers.give(job(name), None)
    found: dict[str, Any] = came(workers)
    assert (type(found["bob"]), found["ada"]) == (MachineFault, done)
