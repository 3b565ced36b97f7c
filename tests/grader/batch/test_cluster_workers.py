"""Which workers of a cluster are given work, and what becomes of that when the scheduler is lost."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader.batch import cluster
from grader.batch.cluster import AHEAD, PATIENCE_SECONDS, WORKERS_SECONDS, Cluster
from grader.batch.cluster_workers import describe_worker, difference, versions
from grader.batch.job import Course, Job, MachineFault
from grader.course.plan import load_plan
from grader.errors import GraderError
from grader.intake.class_listing import HandIn
from grader.model import Submission

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
    monkeypatch.setattr(cluster, "_dask", lambda: made)
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


def test_a_batch_ends_where_the_scheduler_stays_away(dask: Dask, course: Course, now: list[float]) -> None:
    workers = Cluster("tcp://scheduler", course)
    dask.die(OSError())
    assert workers.free() == 0
    now[0] += PATIENCE_SECONDS + 1
    with pytest.raises(
        GraderError, match="no Dask scheduler answers at tcp://scheduler, for 61 seconds now; "
    ):
        workers.free()


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
    with pytest.raises(GraderError, match="start some, then go on by the same command with --resume"):
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
