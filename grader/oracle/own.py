"""Judges of an exercise that a course adds: what its own judge says, once moves came or None.

What the submission's code gave is read here first; what is no list of moves never reaches the course's code.
"""

from __future__ import annotations

from grader.languages import Text, said
from grader.model import Claim, Telling
from grader.model.claims import NoneValue, Value, VectorsValue
from grader.oracle.facts import Facts
from grader.oracle.findings import Finding, describe, ending, moves_text
from grader.oracle.own_exercises import KNOWN, Moves, OwnCode
from grader.oracle.ways import Complaint, mazes_of_size, moves_of, no_move, odd, returned_by, seen
from lab import MOVES, Vector


def judge_own(facts: Facts, claim: Claim, exercise: str, *, run: int = 0) -> Finding | None:
    """What is wrong with what was returned: no moves at all, or what the exercise's judge says."""
    own, returned = KNOWN[exercise], returned_by(claim, run)
    if returned is None:
        return ending(claim, expected=_expected(own, facts), **seen(facts, claim, run))
    complaint = _form(facts, returned) or own.complaint(facts.text, _moves(returned))
    if complaint is None:
        return None
    message, hint = complaint
    actual: dict[str, Telling] = {"text": describe(returned), "moves": moves_of(returned)}
    return Finding("failed", message, _expected(own, facts), actual, hint)


def judge_not_none(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """Where there are moves to be made, it is not None that is returned (whatever else it is)."""
    is_none = claim.outcome != "returned" or isinstance(returned_by(claim), NoneValue)
    return judge_own(facts, claim, exercise) if is_none else None


def judge_left_alone(facts: Facts, claim: Claim, exercise: str) -> Finding | None:
    """The maze is left as it was; that a call came to no end is the matter of other checks."""
    changed = claim.runs[0].changed if claim.outcome == "returned" else None
    if changed is None:
        return None
    expected = {**_expected(KNOWN[exercise], facts), "text": said("as_before")}
    actual: dict[str, Telling] = {"text": said("was_changed"), "mazes": mazes_of_size(facts, changed)}
    return Finding("failed", said("changed"), expected, actual, said("changed_hint"))


def _expected(own: OwnCode, facts: Facts) -> dict[str, Telling]:
    right = own.right(facts.text)
    text: Text = "None" if right is None else moves_text(tuple(right))
    return {"text": text, "moves": None if right is None else tuple(right)}


def _form(facts: Facts, returned: Value) -> Complaint | None:
    """What is wrong with the form of what was returned."""
    if isinstance(returned, NoneValue):
        return None
    if not isinstance(returned, VectorsValue) or not returned.counts_as_list:
        return said("no_list", value=odd(returned)), ""
    wrong = ((number, each) for number, each in enumerate(returned.value, 1) if each not in MOVES)
    return next((no_move(facts, number, each) for number, each in wrong), None)


def _moves(returned: Value) -> Moves:
    return [Vector(*move) for move in returned.value] if isinstance(returned, VectorsValue) else None
