"""Claims on calls that nobody answered: they were not made, or their box was ended."""

from __future__ import annotations

from typing import Literal

from grader.model import Call, Claim, Fault, Outcome
from grader.model.claims import NOT_RUN, CallsBefore


def unanswered(
    call: Call, outcome: Outcome, message: str, *, kind: str = "", stage: Literal["import", "call"] = "call"
) -> Claim:
    """Return the claim with a fault that says why; its kind is the outcome where no other is given."""
    return Claim(call.id, outcome, fault=Fault(kind or outcome, message, stage=stage))


def not_asked(before: CallsBefore, call: Call) -> Claim:
    """Return the claim on a call that was left out since those before it had used up the time of its file."""
    why = "not asked: the time of its exercise was used up"
    return Claim(call.id, "not-asked", fault=Fault(NOT_RUN, why), before=before)
