"""A submission with test mazes of its own: what they catch is told, and all else is as without them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.course.plan import Plan, load_plan
from grader.grading.engine import grade, outputs_of
from grader.model import Report, Submission
from grader.sandbox.process import ProcessBackend
from tests.submissions.loader import Case

pytestmark = pytest.mark.processes

MAZES = Path(__file__).parents[3] / "grader" / "mazes"
RUBRIC = """
title: Checkers
examples: 2
mazes: {mazes}
my_mazes: {{bonus: 4, mistakes: 10}}
exercises: {{perfection: {{checks: {{perfection.perfect: 50, perfection.extra-passage: 50}}}}}}
"""
OWN = {
    "my_mazes/ring.txt": "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+",
    "my_mazes/<b>.txt": "+-+-+\n|S <|\n+-+-+",
}


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    path = tmp_path_factory.mktemp("course") / "rubric.yaml"
    path.write_text(RUBRIC.format(mazes=MAZES), encoding="utf-8")
    return load_plan(path)


def graded(plan: Plan, files: dict[str, str]) -> Report:
    """Grade a checker that asks only whether all cells can be reached, with these files beside it."""
    case = Case("wrong", "perfection-reachability-only")
    code = {name: content for name, content in case.files().items() if name == "perfection_checker.py"}
    own = {name: text.encode() for name, text in files.items()}
    return grade(Submission("ada", {**code, **own}, ()), plan, ProcessBackend())


@pytest.fixture(scope="module")
def without(plan: Plan) -> dict[str, Any]:
    return dict(outputs_of(graded(plan, {}), plan.rubric).data)


@pytest.fixture(scope="module")
def results(plan: Plan) -> dict[str, Any]:
    return dict(outputs_of(graded(plan, OWN), plan.rubric).data)


def test_without_any_there_is_no_word_of_them(without: dict[str, Any]) -> None:
    assert "bonus" not in without
    assert "intake" not in without
    assert all("own_mazes" not in exercise for exercise in without["exercises"])


def test_with_them_all_else_is_the_same(without: dict[str, Any], results: dict[str, Any]) -> None:
    (exercise,) = results["exercises"]
    own = exercise["own_mazes"]
    assert [maze["file"] for maze in own["mazes"]] == ["my_mazes/<b>.txt", "my_mazes/ring.txt"]
    bonus = results["bonus"]
    assert bonus["score_before"] == without["score"] == 50
    assert results["score"] == 50 + bonus["points"] == 54
    rest = {key: value for key, value in results.items() if key not in ("bonus", "intake", "score", "timing")}
    rest["exercises"] = [{key: value for key, value in exercise.items() if key != "own_mazes"}]
    assert rest == {key: without[key] for key in rest}


def test_without_a_word_in_the_rubric_they_earn_nothing(plan: Plan) -> None:
    made = outputs_of(graded(plan, OWN), replace(plan.rubric, my_mazes=None)).data
    assert made["score"] == 50
    assert made["exercises"][0]["own_mazes"]["caught_count"] > 10
