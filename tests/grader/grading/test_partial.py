"""A check of which nearly all cases are right gives a part of its points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from zlib import crc32

import pytest

from grader.course.plan import Plan, make_plan
from grader.course.rubric import load_rubric
from grader.exercises.kit.check import Case, Claims, Wrong
from grader.exercises.kit.findings import unmarked
from grader.exercises.registry import titles
from grader.grading.exercise_grading import ExerciseGrading
from grader.languages import said
from grader.model import CheckResult, ExerciseResult
from lab import Maze, Vector
from reference.solvers.dfs import DFS
from reference.solvers.search import Search
from tests.direct import run_with


def wrong_on(share: float, where: Callable[[Maze], bool]) -> type[DFS]:
    """A solver that fails on a share of the mazes, of all or of some."""

    class Wrong(DFS):
        def solve(self, maze: Maze, search: Any) -> list[Vector] | None:
            if where(maze) and crc32(maze.to_text().encode()) % 1000 < 1000 * share:
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


def is_small_without_exit(maze: Maze) -> bool:
    """Such mazes are asked about by few checks, so that no more than these are lost."""
    return maze.exit is None and maze.dimension.position_count <= 36


@cache
def plan(partial: float = 0.5) -> Plan:
    return make_plan(replace(load_rubric(None, checks=titles()), examples=60, partial=partial))


def graded(solver: type[Any], partial: float = 0.5, unmarked: str = "") -> ExerciseResult:
    """Grade a DFS; nobody has looked at what decides the check named ``unmarked``."""
    planned = next(each for each in plan(partial).exercises if each.id == "dfs")
    checks = (
        replace(each, judge=_unseen, control=None, alone=False, twins=None)
        if each.id == f"dfs.{unmarked}"
        else each
        for each in planned.checks
    )
    planned = replace(planned, checks=tuple(checks))
    exam = ExerciseGrading(plan(partial), planned, run_with(solver, Search), run_with(solver, Search))
    exam.grade_shown(search_is_wrong=False)
    exam.grade_hidden()
    return exam.result({})


def _unseen(cases: Sequence[Case], _claims: Claims) -> Wrong:
    return Wrong(cases[0], unmarked(said("out_of_memory")))


def check_of(result: ExerciseResult, name: str) -> CheckResult:
    return next(check for check in result.checks if check.id == f"dfs.{name}")


def test_nine_of_ten_cases_give_half_of_the_points_and_fewer_none() -> None:
    found = graded(wrong_on(0.2, is_small_without_exit))
    check = check_of(found, "no-way")
    assert (check.verdict.status, check.score) == ("failed", check.max_score / 2)
    assert found.wrong_share is not None
    assert 0 < found.wrong_share < 0.1
    check = check_of(graded(wrong_on(0.9, is_small_without_exit)), "no-way")
    assert (check.verdict.status, check.score) == ("crashed", 0.0)


def test_small_cases_weigh_no_more_than_others_however_many_there_are() -> None:
    found = graded(OnSmallMazes)
    assert check_of(found, "valid-path").score == 0.0
    assert found.score <= found.max_score / 2


def test_a_control_decides_before_any_part_is_given() -> None:
    assert {check.score for check in graded(Never).checks} == {0.0}


class BlindInTheFirstRow(DFS):
    """A solver that does not see exits in the first row, of which most families have some."""

    def solve(self, maze: Maze, search: Any) -> list[Vector] | None:
        hidden = maze.exit is not None and maze.exit.row == 1 and maze.entry.row != 1
        return None if hidden else super().solve(maze, search)


def test_what_is_wrong_on_few_ordinary_mazes_loses_at_most_a_third() -> None:
    found = graded(BlindInTheFirstRow)
    assert found.wrong_share is not None
    assert found.wrong_share < 0.1
    assert found.max_score * 2 / 3 <= found.score < found.max_score


@pytest.mark.parametrize("solver", [DFS, BlindInTheFirstRow, Never])
def test_what_was_not_looked_at_gives_nothing_and_takes_nothing_from_others(solver: type[Any]) -> None:
    before, now = graded(solver), graded(solver, unmarked="repeat")
    waits = check_of(now, "repeat")
    assert (waits.verdict.status, waits.score, waits.by_clock) == ("unmarked", 0.0, False)
    assert now.max_score == before.max_score
    assert [each for each in now.checks if each != waits] == [
        each for each in before.checks if each.id != "dfs.repeat"
    ]
