"""Claims on calls that nobody answered: they were not made, or their box was ended."""

from __future__ import annotations

from typing import Literal

from grader.model import Call, Claim, Fault, Outcome


def unanswered(
    call: Call, outcome: Outcome, message: str, *, kind: str = "", stage: Literal["import", "call"] = "call"
) -> Claim:
    """Return the claim with a fault that says why; its kind is the outcome where no other is given."""
    return Claim(call.id, outcome, fault=Fault(kind or outcome, message, stage=stage))
