"""Follow-through: what a solver on a wrong Search lost is asked again, all of it and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from grader.course.plan import load_plan
from grader.exercises.kit.check import Case, Check, Claims, PlannedExercise, Wrong
from grader.grading.verdicts import asked_again, right_before
from grader.model import Claim, Fault
from lab import Dimension


@pytest.fixture(scope="module", params=["dfs", "bfs", "dijkstra"])
def exercise(request: pytest.FixtureRequest) -> PlannedExercise:
    """Each solver of the shipped rubric."""
    return next(exercise for exercise in load_plan().exercises if exercise.id == request.param)


def cases(check: Check) -> tuple[Case, ...]:
    return (*check.cases, *check.controls)


def all_lost(exercise: PlannedExercise) -> Claims:
    """What a solver answers that raises in every call."""
    fault = Fault("KeyError", "(1, 1)")
    ids = [case.call.id for check in exercise.checks for case in cases(check)]
    return {id_: Claim(id_, "raised", fault=fault) for id_ in ids}


def test_where_all_is_lost_all_is_asked_again(exercise: PlannedExercise) -> None:
    """Who fails with a Search of their own is asked no less than who does not."""
    again = asked_again(exercise.checks)
    known = right_before(exercise.checks, all_lost(exercise))
    assert [check.id for check in again] == [check.id for check in exercise.checks]
    for check, before in zip(again, exercise.checks, strict=True):
        assert check.cases == (before.brief or before.cases)
        assert check.controls == before.controls
        if check.control is None and check.twins is None:
            assert not {case.call.id for case in check.cases} & known.keys()


def test_what_was_right_is_not_asked_again(exercise: PlannedExercise) -> None:
    (check,) = (check for check in exercise.checks if check.id.endswith("valid-path"))
    lost = {case.call.id for case in check.cases[::50]}
    known = right_before([lost_on(check, lost)], all_lost(exercise))
    assert {case.call.id for case in check.cases} - known.keys() == lost


def lost_on(check: Check, ids: set[str]) -> Check:
    """The check with a judge that finds fault with these cases only."""

    def judge(found: Sequence[Case], claims: Claims) -> Wrong | None:
        return check.judge([case for case in found if case.call.id in ids], claims)

    return replace(check, judge=judge)


def test_wide_mazes_stand_for_the_large_ones(exercise: PlannedExercise) -> None:
    (check,) = (check for check in exercise.checks if check.brief)
    (again,) = asked_again([check])
    one, other = (case.facts for case in again.cases)
    assert one.dimension == other.dimension == Dimension(2, 60)
    assert one.cycle
    assert other.cycle
    assert one.length is not None
    assert other.length is None
