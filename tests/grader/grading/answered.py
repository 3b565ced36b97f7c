"""Grade submissions without a sandbox: the reference answers, with some classes replaced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Literal

from grader.course.plan import Plan, make_plan
from grader.course.rubric import load_rubric
from grader.exercises.registry import titles
from grader.grading.engine import grade
from grader.model import Call, CheckResult, GradedSubmission, Submission
from reference.generators.my_generator import MyGenerator
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.dijkstra import Dijkstra
from reference.solvers.search import Search
from tests.direct import ARGUMENTS, reply_to
from tests.fake_backends import AnsweringBackend
from tests.submissions.loader import FILES

ANSWERS: dict[str, Any] = {
    "Search": Search,
    "DFS": DFS,
    "BFS": BFS,
    "Dijkstra": Dijkstra,
    "PerfectionChecker": PerfectionChecker,
    "MyGenerator": MyGenerator,
}


class NoWayBack(Search):
    def moves_to(self, position: Any) -> Any:
        assert position
        return []


@cache
def small_plan() -> Plan:
    """Return the shipped rubric's plan with a few mazes for each property."""
    return make_plan(replace(load_rubric(None, checks=titles()), examples=12))


def plan_of(*exercises: str, **of_rubric: Any) -> Plan:
    """Return the small plan of some exercises, or of all where none is named."""
    plan = small_plan()
    kept = [each for each in plan.exercises if each.id in (exercises or FILES)]
    return replace(plan, exercises=tuple(kept), rubric=replace(plan.rubric, **of_rubric))


@cache
def graded(
    *exercises: str,
    hidden_feedback: Literal["outcome", "kind", "full"] = "outcome",
    follow_through: Literal["full", "none"] = "full",
    **classes: Any,
) -> GradedSubmission:
    """Grade the reference with some classes replaced: some exercises, or all where none is named."""
    asked = plan_of(*exercises, hidden_feedback=hidden_feedback, follow_through=follow_through)
    files = dict.fromkeys(FILES.values(), b"exec('')")  # what runs stands in no file
    return grade(Submission("ada", files), asked, AnsweringBackend(answer=answers(**classes)))


def checks_of(report: GradedSubmission) -> dict[str, CheckResult]:
    """Return all checks by their ids."""
    return {check.id: check for exercise in report.exercises for check in exercise.checks}


def answers(**others: Any) -> Any:
    """Answer in place of the sandbox: with the reference, some classes replaced."""
    classes = {**ANSWERS, **others}

    def answer(target: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
        call = Call(message["id"], ARGUMENTS[message["kind"]](**message["arguments"]))
        search = Search if target["search"] == "grader" else classes["Search"]
        return reply_to(call, classes[target["name"]], search)

    return answer
