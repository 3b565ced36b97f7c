"""What a checker's answers mean, and how often they are yes."""

from __future__ import annotations

import pytest

from grader.exercises.kit.facts import Facts
from grader.exercises.perfection.judge import judge_afresh, share_of_yes
from grader.model import Claim
from grader.model.claims import (
    BoolValue,
    Fault,
    IntValue,
    NoneValue,
    OtherValue,
    Outcome,
    PerfectionAnswer,
    Value,
)

TRUE, FALSE, NONE = BoolValue(True), BoolValue(False), NoneValue()
YES, NO, SET = OtherValue("str", "'yes'"), OtherValue("str", "'no'"), OtherValue("set", "{(1, 1)}")


def claims(*values: Value) -> list[Claim]:
    return [Claim("c", "returned", PerfectionAnswer(value, None)) for value in values]


@pytest.mark.parametrize(
    ("perfect", "others", "expected"),
    [
        ((TRUE, TRUE), (TRUE, FALSE, NONE, IntValue(0)), 0.25),
        ((IntValue(1), IntValue(1)), (TRUE, IntValue(7), FALSE), 2 / 3),
        ((YES, YES, NO), (YES, NO, NO, NO), 0.25),
        ((SET, OtherValue("set", "{(2, 2)}")), (SET, FALSE), 0.5),
        ((FALSE, FALSE, TRUE), (FALSE, FALSE, TRUE, TRUE), 0.5),
        ((NONE, NONE), (TRUE, NONE), 0.5),
    ],
)
def test_yes_is_true_or_what_is_said_of_perfect_mazes(
    perfect: tuple[Value, ...], others: tuple[Value, ...], expected: float
) -> None:
    assert share_of_yes(claims(*others), claims(*perfect)) == pytest.approx(expected)


def test_no_answer_is_no_yes() -> None:
    silent = [Claim("c", "timeout"), *claims(TRUE)]
    assert share_of_yes(silent, claims(TRUE)) == 0.5
    assert share_of_yes(silent, [Claim("c", "timeout")]) == 0.5


@pytest.mark.parametrize(("outcome", "is_wrong"), [("raised", True), ("timeout", False), ("died", False)])
def test_no_answer_after_another_maze_may_be_due_to_that_one(outcome: Outcome, is_wrong: bool) -> None:
    claim = Claim("c", outcome, fault=Fault("KeyError", "1"))
    assert (judge_afresh(Facts("+-+-+\n|S E|\n+-+-+"), claim) is not None) == is_wrong
