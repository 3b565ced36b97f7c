"""A clock that jumps backwards: what comes after what is told by the order in which it was written."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.batch import decisions, marks, orchestrator, review
from grader.batch.job import Course, Job, MachineFault
from grader.batch.journal import Journal
from grader.batch.orchestrator import Batch
from grader.cli import main
from grader.course.plan import Plan
from grader.intake.class_listing import HandIn
from tests.grader.batch.scripted import DONE, Script
from tests.grader.faults.conftest import ADA

pytestmark = pytest.mark.usefixtures("nothing_is_run")
YEAR = 365 * 24 * 3600.0


class BackwardsClock:
    """Each look at it is a year before the last one."""

    def __init__(self) -> None:
        self._now = 2_000_000_000.0

    def time(self) -> float:
        self._now -= YEAR
        return self._now

    def now(self, zone: object) -> datetime:
        assert zone is UTC
        return datetime.fromtimestamp(self.time(), UTC)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> BackwardsClock:
    made = BackwardsClock()
    monkeypatch.setattr(time, "time", made.time)
    for module in (decisions, review):
        monkeypatch.setattr(module, "datetime", made)
    return made


@pytest.mark.usefixtures("clock")
def test_what_was_graded_in_the_future_is_not_graded_again(results: Path, batch: Callable[[], int]) -> None:
    before = (results / ADA / "results.json").stat().st_mtime_ns
    assert batch() == 0
    assert (results / ADA / "results.json").stat().st_mtime_ns == before
    events = [json.loads(line)["event"] for line in (results / "batch.log.jsonl").read_text().splitlines()]
    assert events == ["start", "graded", "graded", "end", "start", "unchanged", "unchanged", "end"]


@pytest.mark.usefixtures("clock")
def test_the_last_decision_is_the_one_that_was_made_last(results: Path) -> None:
    adjust = ["adjust", str(results), ADA, "--by", "grace"]
    assert main([*adjust, "--score", "60", "--reason", "first"]) == 0
    assert main([*adjust, "--score", "70", "--reason", "second"]) == 0
    first, second = marks.decisions(results)[ADA]
    assert first.when > second.when
    assert [first.points, second.points] == [60.0, 70.0]
    assert json.loads((results / ADA / "results.json").read_bytes())["score"] == 70.0
    assert main([*adjust, "--undo"]) == 0
    assert [decision.points for decision in marks.decisions(results)[ADA]] == [60.0]


@pytest.mark.usefixtures("clock")
def test_what_somebody_has_looked_at_stays_looked_at(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for options, counts in (
        ([], "1 open, 0 done"),
        (["--done", ADA], "0 open, 1 done"),
        (["--reopen", ADA], "1 open, 0 done"),
        (["--done", "alike"], "0 open, 1 done"),
        ([], "0 open, 1 done"),
    ):
        capsys.readouterr()
        assert main(["review", str(results), "--by", "grace", *options]) == 0
        assert capsys.readouterr().out.splitlines()[-1] == counts


@pytest.mark.usefixtures("clock")
def test_a_fault_is_tried_again_when_its_time_has_come(
    tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orchestrator, "RETRY_SECONDS", (0.01,))
    script = Script({"ada": [MachineFault("no engine"), DONE]})
    with Journal(tmp_path) as journal:
        batch = Batch([Job(HandIn("ada", ()))], Course(plan, "fake"), journal, lambda event, **facts: None)
        assert batch.run(script).graded == 1
