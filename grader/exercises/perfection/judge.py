"""Judges of the perfection checker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from grader.exercises.kit.facts import Facts
from grader.exercises.kit.findings import Finding, describe, ending
from grader.exercises.kit.imperfection import shape, why_imperfect
from grader.exercises.kit.solvers.ways import mazes_of_size
from grader.languages import said
from grader.model import Claim, Telling
from grader.model.claims import BoolValue, IntValue, NoneValue, OtherValue, Value


def judge_perfection(facts: Facts, claim: Claim) -> Finding | None:
    """Judge whether the answer is right; 1, 0 and None count by their truth, since another judge checks the
    type."""
    if claim.answer is None:
        return ending(claim, expected=_expected(facts))
    if truth(claim.answer.returned) is facts.is_perfect:
        return None
    text = describe(claim.answer.returned)
    message = said("returned", value=text)
    return Finding("failed", message, _expected(facts), {"text": text}, extra=shape(facts))


def judge_afresh(facts: Facts, claim: Claim) -> Finding | None:
    """Judge whether the answer is right, but accept a missing one unless the call raised.

    An earlier maze may be the reason that it is missing.
    """
    return None if claim.answer is None and claim.outcome != "raised" else judge_perfection(facts, claim)


def judge_true_or_false(facts: Facts, claim: Claim) -> Finding | None:
    """Judge whether the answer is exactly True or exactly False."""
    if claim.answer is None:
        return ending(claim, expected=_expected(facts))
    if isinstance(claim.answer.returned, BoolValue):
        return None
    text = describe(claim.answer.returned)
    return Finding("failed", said("no_truth", value=text), _expected(facts), {"text": text})


def judge_left_alone(facts: Facts, claim: Claim) -> Finding | None:
    """Judge whether the maze is unchanged."""
    expected = {"text": said("as_before")}
    if claim.answer is None:
        return ending(claim, expected=expected)
    if claim.answer.changed is None:
        return None
    actual: dict[str, Telling] = {
        "text": said("was_changed"),
        "mazes": mazes_of_size(facts, claim.answer.changed),
    }
    return Finding("failed", said("changed"), expected, actual)


def truth(returned: Value) -> bool | None:
    """Return the truth of a returned value; None if it is no answer at all."""
    match returned:
        case BoolValue(given) | IntValue(given):
            return bool(given)
        case NoneValue():
            return False
    return None


def share_of_yes(claims: Sequence[Claim], perfect: Sequence[Claim]) -> float:
    """Return the share of mazes for which the answer is yes.

    That is True or, if the checker uses other values, what it returns most often for perfect mazes.
    """
    usual, _ = Counter(map(_meaning, perfect)).most_common(1)[0]
    yes = True if usual in (None, True, False) else usual
    return fmean(_meaning(claim) == yes for claim in claims)


def _meaning(claim: Claim) -> bool | str | None:
    """Return an answer in comparable form; None if there was none."""
    if claim.answer is None:
        return None
    returned = claim.answer.returned
    meant = truth(returned)
    if meant is not None or not isinstance(returned, OtherValue):
        return meant
    return returned.text if returned.type_name == "str" else returned.type_name


def _expected(facts: Facts) -> dict[str, Telling]:
    if facts.is_perfect:
        return {"text": said("is_perfect")}
    return {"text": said("is_imperfect", flaw=why_imperfect(facts))}
