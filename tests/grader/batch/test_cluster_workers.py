"""Workers on other machines: which are given work, what becomes of it when they are lost, and lies."""

from __future__ import annotations

import json
from asyncio import CancelledError
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from grader.batch import cluster
from grader.batch.cluster import AHEAD, WORKERS_SECONDS, Cluster
from grader.batch.cluster_workers import check_answer, describe_worker, difference, versions
from grader.batch.job import Course, Done, Job, MachineFault, Tried, Unchanged, answer
from grader.course.plan import load_plan
from grader.errors import GraderError
from grader.intake.class_listing import HandIn
from grader.model import Submission
from tests.fake_backends import AnsweringBackend

pytestmark = pytest.mark.processes

HERE = {**versions(), "sandbox": "process"}
A, B = "tcp://a", "tcp://b"


@dataclass(eq=False)
class Task:
    value: Any
    workers: list[str]
    over: bool = False

    def done(self) -> bool:
        return self.over

    def result(self, timeout: float) -> Any:
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value


class Dask:
    """The package and its client in one; ``says`` is what its workers tell of themselves."""

    def __init__(self) -> None:
        self.says: dict[str, Any] = {A: HERE, B: HERE}
        self.jobs: list[Task] = []
        self.status = "running"
        self.is_there = True
        self.trouble: BaseException | None = None

    def Client(self, *_: object, **__: object) -> Dask:
        if not self.is_there:
            raise OSError("nobody answers")
        self.status = "running"
        return self

    def nthreads(self, callback_timeout: float) -> dict[str, int]:
        if self.trouble:
            raise self.trouble
        return dict.fromkeys(self.says, 1)

    def submit(self, task: object, *_: object, workers: list[str], **__: object) -> Task:
        if task is describe_worker:
            return Task(self.says[workers[0]], workers, over=True)
        self.jobs.append(Task(None, workers))
        return self.jobs[-1]

    def wait(self, *_: object, **__: object) -> None:
        if self.trouble:
            raise self.trouble

    def cancel(self, _tasks: list[Task]) -> None:
        pass

    def close(self, timeout: float) -> None:
        self.status = "closed"

    def die(self, trouble: BaseException) -> None:
        self.trouble, self.is_there, self.status = trouble, False, "connecting"

    def rise(self) -> None:
        self.trouble, self.is_there = None, True


@pytest.fixture(scope="module")
def course(rubric: Path) -> Course:
    return Course(load_plan(rubric), "process")


@pytest.fixture
def dask(monkeypatch: pytest.MonkeyPatch) -> Dask:
    made = Dask()
    monkeypatch.setattr(cluster, "load_dask", lambda: made)
    return made


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    moment = [1000.0]
    monkeypatch.setattr("grader.batch.cluster.time.monotonic", lambda: moment[0])
    return moment


@pytest.fixture
def jobs() -> Callable[[], Job]:
    return lambda: Job(HandIn("ada", ()), submission=Submission("ada", {}))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({**HERE, "grader": "of last year"}, "another version of the grader: install the same everywhere"),
        ({**HERE, "Python": "3.1"}, f"it has Python 3.1, not {HERE['Python']}: install the same"),
        ({**HERE, "hypothesis": "1\n\x1b"}, r"it has hypothesis 1\n\x1b, not "),
        ({**HERE, "sandbox": "no sandbox"}, "process does not work there: see grader doctor on that machine"),
        (None, "another version of the grader"),
        ({**HERE, "Python": "9" * 10**6}, f"it has Python {'9' * 80} …, not "),
        (AttributeError("describe_worker"), "another version of the grader, or none (AttributeError)"),
    ],
)
def test_an_unfit_worker_is_given_nothing_and_told_once(
    dask: Dask, course: Course, capsys: pytest.CaptureFixture[str], said: Any, why: str
) -> None:
    dask.says = {A: said, B: HERE, "tcp://c": said}
    workers = Cluster("tcp://scheduler", course)
    assert [workers.free() for _ in range(3)] == [AHEAD] * 3
    assert workers.at_once == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"grader: a worker is left out, and so are all like it ({A}): ")
    assert why in line


def test_a_worker_says_what_it_has() -> None:
    assert difference(describe_worker("process"), HERE) == ""
    assert "no_such_box does not work" in difference(
        describe_worker("no_such_box"), {**HERE, "sandbox": "no_such_box"}
    )


LOSSES = [OSError("Timed out"), TimeoutError(), CancelledError(), RuntimeError("IOLoop is closed")]


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_what_was_out_there_when_the_scheduler_died_waits_and_goes_on(
    dask: Dask,
    course: Course,
    now: list[float],
    jobs: Callable[[], Job],
    loss: BaseException,
    capsys: pytest.CaptureFixture[str],
) -> None:
    workers = Cluster("tcp://scheduler", course)
    assert workers.free() == 2 * AHEAD
    workers.give(jobs(), None)
    dask.die(loss)
    workers.give(jobs(), None)
    found = [answer for _, answer in workers.wait(0.0)]
    assert [type(answer) is MachineFault and answer.waits for answer in found] == [True, True]
    assert (workers.free(), workers.doing(), workers.wait(0.0)) == (0, [], [])
    dask.rise()
    now[0] += 10.0
    assert workers.free() == 2 * AHEAD
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(" at tcp")[0] for line in told] == [
        "grader: the Dask scheduler",
        "grader: connected to the Dask scheduler",
    ]
    workers.close()


def test_a_service_begins_without_a_scheduler_and_waits_for_ever(
    dask: Dask, course: Course, now: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    dask.die(OSError())
    workers = Cluster("tcp://scheduler", course, waits=True)
    for _ in range(3):
        assert (workers.free(), workers.at_once) == (0, 0)
        now[0] += 1e6
    assert capsys.readouterr().err == (
        "grader: no Dask scheduler answers at tcp://scheduler: what is not graded waits\n"
    )
    dask.rise()
    assert (workers.free(), workers.at_once) == (2 * AHEAD, 2)


def test_a_cluster_without_workers_that_may_grade_is_told_and_ends_a_batch_at_last(
    dask: Dask, course: Course, now: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    dask.says = {}
    workers = Cluster("tcp://scheduler", course)
    assert workers.free() == 0
    assert capsys.readouterr().err == ""
    now[0] += WORKERS_SECONDS / 2
    assert workers.free() == 0
    assert capsys.readouterr().err.startswith(
        "grader: no worker of the Dask scheduler at tcp://scheduler may"
    )
    now[0] += WORKERS_SECONDS
    with pytest.raises(GraderError, match="start some, then go on by the same command"):
        workers.free()


def test_a_job_whose_workers_are_all_gone_is_for_those_that_come(
    dask: Dask, course: Course, jobs: Callable[[], Job]
) -> None:
    workers = Cluster("tcp://scheduler", course)
    workers.free()
    workers.give(jobs(), None)
    assert dask.jobs[0].workers == [A, B]
    dask.says = {B: HERE}
    assert workers.wait(0.0) == []
    dask.says = {"tcp://c": HERE}
    ((_, answer),) = workers.wait(0.0)
    assert isinstance(answer, MachineFault)
    assert answer.waits


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
    tried = Tried("what came of it")
    assert check_answer(tried, "ada", key=done.key, known=None, is_try=True) == tried


def test_a_result_is_no_answer_to_a_try(done: Done) -> None:
    for found in (done, Unchanged(), Tried(5)):  # type: ignore[arg-type]
        lie = check_answer(found, "ada", key=done.key, known=done.key, is_try=True)
        assert isinstance(lie, MachineFault)


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
    "what came of a try": lambda done: Tried("It is right."),
    "more than a result": surprising,
    "unchanged, what was never graded": lambda done: Unchanged(),
    "another's result": lambda done: replace(done, results=with_changes(done, submission="bob")),
    "another's result for staff": lambda done: replace(
        done, staff={"staff.json": with_changes(done, submission="bob")}
    ),
    "results of other files": lambda done: replace(done, key="0" * 64),
    "results too deep": lambda done: replace(done, results=b"[" * 100_000),
    "results of another form": lambda done: replace(done, results=b'{"schema": 1}'),
    "a mark that is not in the results": lambda done: replace(done, score=done.score + 1),
    "a mark in the results alone": lambda done: replace(done, results=with_changes(done, score=100.0)),
    "a mark that equals nothing": lambda done: replace(done, score=float("nan")),
    "a file elsewhere": lambda done: replace(done, staff={"../../grades.csv": b""}),
    "seconds without end": lambda done: replace(done, seconds=float("inf")),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_a_fault(name: str, done: Done) -> None:
    found = check_answer(LIES[name](done), "ada", key=done.key, known=None)
    assert isinstance(found, MachineFault)
    assert found.reason.startswith("a worker answered")


@pytest.mark.parametrize("liar", ["bob", "nobody"])
def test_what_comes_for_another_job_or_is_no_answer_gives_no_mark(
    dask: Dask, course: Course, done: Done, liar: str
) -> None:
    """And an answer comes once."""
    workers = Cluster("tcp://scheduler", course)
    workers.free()
    for _ in range(2):
        workers.give(job("ada"), None)
    for task, value in zip(dask.jobs, (result("bob", course) if liar == "bob" else print, done), strict=True):
        task.value, task.over = value, True
    first, second = (answer for _, answer in workers.wait(0.0))
    assert (type(first), second) == (MachineFault, done)
    assert workers.wait(0.0) == []


def test_a_worker_that_never_answers_is_given_up(
    dask: Dask, course: Course, now: list[float], jobs: Callable[[], Job], done: Done
) -> None:
    """What it sends in the end is not looked at: the submission is another's job by then."""
    workers = Cluster("tcp://scheduler", course)
    workers.free()
    workers.give(jobs(), None)
    assert workers.wait(0.0) == []
    now[0] += 24 * 60 * 60.0
    ((_, found),) = workers.wait(0.0)
    assert isinstance(found, MachineFault)
    assert found.reason.startswith("no answer within")
    dask.jobs[0].value, dask.jobs[0].over = done, True
    assert workers.wait(0.0) == []
