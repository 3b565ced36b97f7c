"""Groups of calls that one check hangs on: after one that ran into a limit, the others are not made.

The session keeps them outside of the box, since which calls belong together may tell what is
expected of them.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from grader.model import Call, Claim, Outcome
from grader.session.unanswered import unanswered
from grader.session.wire import Budget

SPENT: Final = ("endless", "timeout", "out-of-memory", "output-limit", "died", "violation")
"""Outcomes after which the rest of a group needs no run: each costs a process, or a limit."""
GROUP_FACTOR: Final = 3.0
"""The calls of a group may together use 3 times the CPU seconds of one of them."""


class Groups:
    """The groups of one run of calls, and which of them are spent."""

    def __init__(self) -> None:
        self._spent: dict[str, tuple[str, Outcome]] = {}
        self._cpu_seconds: Counter[str] = Counter()

    def note(self, call: Call, claim: Claim, budget: Budget) -> bool:
        """Note how a call with this budget ended; tell whether its group is spent."""
        if not call.group:
            return False
        self._cpu_seconds[call.group] += claim.cpu_seconds  # type: ignore[assignment]
        if claim.outcome in SPENT:
            self._spent.setdefault(call.group, (call.id, claim.outcome))
        elif self._cpu_seconds[call.group] > GROUP_FACTOR * budget.cpu_seconds:
            self._spent.setdefault(call.group, (call.id, "timeout"))
        return call.group in self._spent

    def not_made(self, call: Call) -> Claim | None:
        """The claim on a call whose group is spent; None where the call is worth making."""
        if call.group not in self._spent:
            return None
        first, outcome = self._spent[call.group]
        why = f"not run, since the call {first} of the same group ended so"
        return unanswered(call, outcome, why, kind="not run")
