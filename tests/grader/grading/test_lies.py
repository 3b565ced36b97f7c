"""Boxes that lie: whatever they claim, there is a result, it can be shown, and no lie earns a point."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings

from grader.course.plan import Plan, make_plan
from grader.course.rubric import Rubric, load_rubric
from grader.exercises import registry
from grader.exercises.kit.check import Check
from grader.grading import verdicts
from grader.grading.engine import RESULTS, STAFF, grade, graded
from grader.grading.purse import MOST_EFFORT
from grader.model import GradedSubmission, Submission
from tests.fuzz.liars import Lies, LyingBackend, lies
from tests.fuzz.pages import show

pytestmark = pytest.mark.processes

LARGE = ("large", "deep")
NOT_OF_EACH_ANSWER = (
    *("unchanged", "visit-order", "repeat", "again", "separate", "-seed", "own-work", "true-or-false"),
)
"""Checks of what was seen, of several answers together, or of their type."""
FEW_DRAWN = settings(
    max_examples=settings().max_examples // 50,  # a whole submission is graded for each
    phases=(Phase.explicit, Phase.generate),  # lies come from a seed, in which nothing can be made smaller
)
SUBMISSION = Submission("ada", {"solvers/dfs.py": b"class DFS:\n    pass\n"})


@pytest.fixture(scope="module", autouse=True)
def _shown_soon() -> Iterator[None]:
    """Few of the small cases are tried to show a mistake on; cases are drawn before, since Hypothesis refuses
    to draw within a property."""
    plan()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "A_PART", MOST_EFFORT // 20)
        yield


@cache
def plan() -> Plan:
    """The shipped rubric with few mazes, none of them large."""
    return make_plan(_small(load_rubric(checks=registry.titles())))


def _small(rubric: Rubric) -> Rubric:
    exercises = tuple(
        replace(exercise, checks=tuple(check for check in exercise.checks if not check.id.endswith(LARGE)))
        for exercise in rubric.exercises
    )
    hidden = [maze for maze in rubric.mazes if maze.visibility == "hidden"]
    shown = [maze for maze in rubric.mazes if maze.visibility == "public"]
    return replace(rubric, examples=2, exercises=exercises, mazes=(*shown[:4], *hidden[:4]))


@given(told=lies())
@FEW_DRAWN
def test_whatever_is_claimed_there_is_a_result_and_it_can_be_shown(told: Lies) -> None:
    with TemporaryDirectory() as folder:
        out = Path(folder)
        results = graded(SUBMISSION, plan(), LyingBackend(told), out)
        assert 0 <= results["score"] <= results["max_score"]
        for name in (RESULTS, STAFF):
            json.loads((out / name).read_bytes(), parse_constant=pytest.fail)
            show(out / name)


@given(told=lies("of no use", "nearly", shares=(0.05, 0.5), steady=True))
@FEW_DRAWN
def test_a_check_with_a_wrong_answer_among_its_cases_is_lost(told: Lies) -> None:
    report = grade(SUBMISSION, plan(), LyingBackend(told))
    for name, check in _passed(report):
        if not check.id.endswith(NOT_OF_EACH_ANSWER):
            assert not [case.label for case in check.cases if (name, case.call.arguments) in told.lied]


@given(told=lies("of no use", shares=(1.0,), steady=True))
@settings(FEW_DRAWN, max_examples=1)
def test_who_answers_nothing_earns_nothing_but_for_where_it_went(told: Lies) -> None:
    report = grade(SUBMISSION, plan(), LyingBackend(told))
    assert {check.id.partition(".")[2] for _, check in _passed(report)} <= {"visit-order", "unchanged"}


def _passed(report: GradedSubmission) -> Iterator[tuple[str, Check]]:
    """The checks that are passed, each with the name of what it is about."""
    passed = {check.id for e in report.exercises for check in e.checks if check.verdict.status == "passed"}
    for exercise in plan().exercises:
        yield from ((exercise.target.name, check) for check in exercise.checks if check.id in passed)
