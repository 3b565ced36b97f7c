"""A check of which nearly all cases are right gives a part of its points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from zlib import crc32

import pytest

from grader.course.plan import Plan, load_plan, make_plan
from grader.feedback import render_html, render_markdown, render_text
from grader.grading.exercise_grading import ExerciseGrading
from grader.model import CheckResult, ExerciseResult, Report
from grader.results import as_data
from lab import Maze, Vector
from reference.solvers.dfs import DFS
from reference.solvers.search import Search
from tests.direct import run_with


def wrong_on(share: float) -> type[DFS]:
    """A solver that fails on a share of the mazes, of every size."""

    class Wrong(DFS):
        def solve(self, maze: Maze, search: Any) -> list[Vector] | None:
            if crc32(maze.to_text().encode()) % 1000 < 1000 * share:
                raise KeyError("now and then")
            return super().solve(maze, search)

    return Wrong


class OnSmallMazes(DFS):
    """A solver that is right on the small mazes alone, which are most of those that are drawn."""

    def solve(self, maze: Maze, search: Any) -> list[Vector] | None:
        return super().solve(maze, search) if maze.dimension.position_count <= 36 else []


class Never:
    """A solver that says that there is no way, which is right where there is none."""

    def solve(self, _maze: Maze, _search: Any) -> Sequence[Vector] | None:
        return None


@cache
def plan(partial: float = 0.5) -> Plan:
    return make_plan(replace(load_plan().rubric, examples=60, partial=partial))


def graded(solver: type[Any], partial: float = 0.5) -> ExerciseResult:
    planned = next(each for each in plan(partial).exercises if each.id == "dfs")
    exam = ExerciseGrading(plan(partial), planned, run_with(solver, Search), run_with(solver, Search))
    exam.grade_shown(search_is_wrong=False)
    exam.grade_hidden()
    return exam.result(None)


def check_of(result: ExerciseResult, name: str) -> CheckResult:
    return next(check for check in result.checks if check.id == f"dfs.{name}")


def test_nine_of_ten_cases_give_half_of_the_points() -> None:
    found = graded(wrong_on(0.04))
    check = check_of(found, "valid-path")
    assert (check.verdict.status, check.score) == ("failed", check.max_score / 2)
    assert found.wrong_share is not None
    assert 0 < found.wrong_share < 0.1


def test_fewer_give_nothing() -> None:
    check = check_of(graded(wrong_on(0.3)), "valid-path")
    assert (check.verdict.status, check.score) == ("crashed", 0.0)


def test_small_cases_weigh_no_more_than_others_however_many_there_are() -> None:
    found = graded(OnSmallMazes)
    assert check_of(found, "valid-path").score == 0.0
    assert found.score <= found.max_score / 2


def test_a_control_decides_before_any_part_is_given() -> None:
    assert {check.score for check in graded(Never).checks} == {0.0}


def test_a_rubric_may_do_without() -> None:
    check = check_of(graded(wrong_on(0.04), partial=0.0), "valid-path")
    assert (check.verdict.status, check.score) == ("crashed", 0.0)


@pytest.mark.parametrize("render", [render_html, render_text, render_markdown])
def test_every_form_of_the_page_says_why_a_part_is_given(render: Any) -> None:
    report = Report("ada", "fake", "Mazes", "none", (graded(wrong_on(0.04)),))
    page = render(as_data(report))
    assert "At least nine of ten of the cases" in " ".join(page.split())
