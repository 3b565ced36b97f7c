"""Groups of calls that one check hangs on: after one that ran into a limit, the others are not made.

The session keeps them outside of the box, since which calls belong together may tell what is
expected of them.
"""

from __future__ import annotations

from typing import Final

from grader.model import Call, Claim, Outcome
from grader.model.claims import NOT_RUN
from grader.session.unanswered import unanswered

SPENT: Final = ("endless", "timeout", "out-of-memory", "output-limit", "died", "violation")
"""Outcomes after which the rest of a group needs no run: each costs a process, or a limit."""


class Groups:
    """The groups of one run of calls, and which of them are spent."""

    def __init__(self) -> None:
        self._spent: dict[str, tuple[str, Outcome]] = {}

    def note(self, call: Call, claim: Claim) -> bool:
        """Note how a call ended; tell whether its group is spent."""
        if call.group and claim.outcome in SPENT:
            self._spent.setdefault(call.group, (call.id, claim.outcome))
        return call.group in self._spent

    def not_made(self, call: Call) -> Claim | None:
        """The claim on a call whose group is spent; None where the call is worth making."""
        if call.group not in self._spent:
            return None
        first, outcome = self._spent[call.group]
        why = f"not run, since the call {first} of the same group ended so"
        return unanswered(call, outcome, why, kind=NOT_RUN)
