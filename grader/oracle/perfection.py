"""Judges of the perfection checker."""

from __future__ import annotations

from grader.model import Claim, Json
from grader.model.claims import BoolValue, IntValue, NoneValue, Value
from grader.oracle.facts import Facts
from grader.oracle.findings import Finding, describe, ending
from grader.oracle.ways import mazes_of_size
from lab import Vector


def judge_perfection(facts: Facts, claim: Claim) -> Finding | None:
    """The answer is right; 1, 0 and None count as what they mean, another judge sees to their type."""
    if claim.answer is None:
        return ending(claim, expected=_expected(facts))
    if truth(claim.answer.returned) is facts.is_perfect:
        return None
    text = describe(claim.answer.returned)
    return Finding("failed", f"returned {text}", _expected(facts), {"text": text}, extra=shape(facts))


def judge_true_or_false(facts: Facts, claim: Claim) -> Finding | None:
    """The answer is exactly True or exactly False."""
    if claim.answer is None:
        return ending(claim, expected=_expected(facts))
    if isinstance(claim.answer.returned, BoolValue):
        return None
    text = describe(claim.answer.returned)
    return Finding("failed", f"returned {text}; expected True or False", _expected(facts), {"text": text})


def judge_left_alone(facts: Facts, claim: Claim) -> Finding | None:
    """The maze is left as it was."""
    expected = {"text": "the maze as it was before"}
    if claim.answer is None:
        return ending(claim, expected=expected)
    if claim.answer.changed is None:
        return None
    actual = {"text": "the maze was changed", "mazes": mazes_of_size(facts, claim.answer.changed)}
    return Finding("failed", "changed the maze that it was given", expected, actual)


def truth(returned: Value) -> bool | None:
    """What a returned value means as an answer; None where it is no answer at all."""
    match returned:
        case BoolValue(given) | IntValue(given):
            return bool(given)
        case NoneValue():
            return False
    return None


def shape(facts: Facts) -> dict[str, Json]:
    """What makes a maze imperfect, as cells for the picture."""
    return {"cycle": _cells(facts.cycle), "unreachable": _cells(facts.islands)}


def why_imperfect(facts: Facts) -> str:
    """What makes a maze imperfect, in words."""
    reasons = []
    if facts.cycle:
        reasons.append("a cycle, so that two ways lead to some cells")
    if facts.islands:
        count = len(facts.islands)
        reasons.append(f"{count} {'cell' if count == 1 else 'cells'} out of reach")
    return " and ".join(reasons)


def _expected(facts: Facts) -> dict[str, Json]:
    if facts.is_perfect:
        return {"text": "True: every cell is reached, in exactly one way"}
    return {"text": f"False: the maze has {why_imperfect(facts)}"}


def _cells(cells: tuple[Vector, ...]) -> list[list[int]]:
    return [list(cell) for cell in cells]
