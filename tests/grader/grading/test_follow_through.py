"""Follow-through: what a solver on a wrong Search lost is asked again, on few cells, for every check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from grader.course.plan import load_plan
from grader.exercises.kit.check import Case, Check, Claims, PlannedExercise, Wrong
from grader.grading.follow_through import MOST_CASES, MOST_CELLS, thinned
from grader.model import Claim, Fault
from grader.session.budgets import size_of
from lab import Dimension

SOLVERS = [exercise for exercise in load_plan().exercises if exercise.kind == "solver"]
FAMILIES = 11
"""The groups of a solver's cases: public and hidden mazes, controls, and those that are drawn."""
SOLVER = pytest.mark.parametrize("exercise", SOLVERS, ids=lambda exercise: str(exercise.id))


def cases(check: Check) -> tuple[Case, ...]:
    return (*check.cases, *check.controls)


def all_lost(exercise: PlannedExercise) -> Claims:
    """What a solver answers that raises in every call."""
    fault = Fault("KeyError", "(1, 1)")
    ids = [case.call.id for check in exercise.checks for case in cases(check)]
    return {id_: Claim(id_, "raised", fault=fault) for id_ in ids}


@SOLVER
def test_where_all_is_lost_each_check_is_asked_again_on_few_cells(exercise: PlannedExercise) -> None:
    again = thinned(exercise.checks, all_lost(exercise))
    assert [check.id for check in again] == [check.id for check in exercise.checks]
    assert all(check.cases for check in again)
    assert all(bool(check.controls) == bool(check.control) for check in again)
    sizes = {case.call.id: size_of(case.call) for check in again for case in cases(check)}
    wide = next(check for check in exercise.checks if check.brief).brief
    assert len(sizes) <= FAMILIES * MOST_CASES
    assert sum(sizes.values()) <= FAMILIES * MOST_CELLS + sum(size_of(case.call) for case in wide)


@SOLVER
def test_what_was_right_is_not_asked_again(exercise: PlannedExercise) -> None:
    (check,) = (check for check in exercise.checks if check.id.endswith("valid-path"))
    lost = {case.call.id for case in check.cases[::50]}
    again = thinned([lost_on(check, lost)], all_lost(exercise))
    assert {case.call.id for case in again[0].cases} == lost


def lost_on(check: Check, ids: set[str]) -> Check:
    """The check with a judge that finds fault with these cases only."""

    def judge(found: Sequence[Case], claims: Claims) -> Wrong | None:
        return check.judge([case for case in found if case.call.id in ids], claims)

    return replace(check, judge=judge)


@SOLVER
def test_wide_mazes_stand_for_the_large_ones(exercise: PlannedExercise) -> None:
    (check,) = (check for check in exercise.checks if check.brief)
    (again,) = thinned([check], all_lost(exercise))
    one, other = (case.facts for case in again.cases)
    assert one.dimension == other.dimension == Dimension(2, 60)
    assert one.cycle
    assert other.cycle
    assert one.length is not None
    assert other.length is None


@SOLVER
def test_ways_that_a_wrong_order_makes_longer_are_asked_again(exercise: PlannedExercise) -> None:
    """A depth-first search under the name BFS shows on one maze of six."""
    again = thinned(exercise.checks, all_lost(exercise))
    (cycles,) = (check for check in again if check.id.endswith("cycles"))
    ways = [(case.facts.length, case.facts.ways["dfs"]) for case in cycles.cases]
    assert any(length is not None and len(way[0]) > length for length, way in ways)
