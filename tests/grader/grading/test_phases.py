"""The way of a submission through the gate: nothing hidden before it is let in, and none runs behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest

from grader.course.plan import Plan, load_plan
from grader.errors import SandboxError
from grader.grading.engine import grade
from grader.model import Limits, Submission
from tests.fake_backends import AnsweringBackend, FakeBox
from tests.submissions.loader import FILES

pytestmark = pytest.mark.processes

ADA = Submission("ada", dict.fromkeys(FILES.values(), b""))
MAZES = Path(__file__).parents[3] / "grader" / "mazes"
RUBRIC = """
title: A small rubric
seed: 1
examples: 5
exercises:
  dfs:
    checks: {dfs.valid-path: 30, dfs.large: {points: 20, visibility: hidden}}
  bfs:
    checks: {bfs.shortest: 30, bfs.large: {points: 20, visibility: hidden}}
"""


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    (tmp_path / "rubric.yaml").write_text(RUBRIC + f"mazes: {MAZES}\n")
    return load_plan(tmp_path / "rubric.yaml")


@dataclass
class Recorder:
    """A gate that is open, and what was done around it."""

    events: list[str] = field(default_factory=list)

    def show(self) -> None:
        self.events.append("show")

    def step_aside(self) -> None:
        self.events.append("aside")

    def hide(self) -> None:
        self.events.append("hide")

    def leave(self) -> None:
        self.events.append("leave")


@dataclass
class Told(AnsweringBackend):
    """A back end that tells what is asked, and how its boxes end."""

    events: list[str] = field(default_factory=list)
    large: frozenset[str] = frozenset()

    def open(self, limits: Limits) -> FakeBox:
        box = super().open(limits)
        close = box.close

        def told() -> Any:
            self.events.append("closed")
            return close()

        box.close = told  # type: ignore[method-assign]
        return box

    def asked(self, _target: Mapping[str, Any], call: Mapping[str, Any]) -> dict[str, Any]:
        self.events.append("hidden" if self.large & set(call["arguments"]["mazes"]) else "shown")
        no_file = {"kind": "no file", "message": "", "stage": "import", "trace": []}
        return {"outcome": "missing", "fault": no_file}


def events_of(plan: Plan, backend: Told, gate: Recorder) -> list[str]:
    hidden = [check for e in plan.exercises for check in e.checks if check.id.endswith(".large")]
    backend.large = frozenset(str(case.maze) for check in hidden for case in check.cases)
    backend.answer = backend.asked
    grade(ADA, plan, backend, gate)
    return [event for n, event in enumerate(gate.events) if n == 0 or event != gate.events[n - 1]]


def test_what_is_hidden_comes_behind_the_gate_and_the_box_is_closed_before_it_is_left(plan: Plan) -> None:
    gate = Recorder()
    events = events_of(plan, Told(events=gate.events), gate)
    assert without_asides(events) == ["show", "shown", "leave", "hide", "hidden", "closed", "leave"]


def without_asides(events: list[str]) -> list[str]:
    return [event for event, _ in groupby(event for event in events if event != "aside")]


def test_before_each_round_that_is_shown_others_are_let_on(plan: Plan) -> None:
    gate = Recorder()
    shown, hidden = split_at("hide", events_of(plan, Told(events=gate.events), gate))
    assert shown.count("aside") > 1
    assert [before for before, event in pairwise(shown) if event == "shown"] == ["aside"] * shown.count(
        "shown"
    )
    assert "aside" not in hidden


def split_at(event: str, events: list[str]) -> tuple[list[str], list[str]]:
    return events[: events.index(event)], events[events.index(event) :]


def test_a_machine_that_fails_leaves_the_gate(plan: Plan) -> None:
    gate = Recorder()

    def fail(*_: object) -> dict[str, Any]:
        raise SandboxError("the engine is gone")

    with pytest.raises(SandboxError):
        grade(ADA, plan, AnsweringBackend(answer=fail), gate)
    assert without_asides(gate.events) == ["show", "leave"]
