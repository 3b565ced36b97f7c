"""What explaining may cost in one submission: one purse, in counts, so that it buys the same on any machine.

A unit is about a thousandth of a processor's second. Whoever explains makes its calls by ``paid``, and asks
for less where little is left. Nothing that decides a mark is paid from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from grader.grading.case_runs import MakeCalls
from grader.model import Call, Claim
from grader.session.connection import size_of, tried_turns
from grader.session.submission_limits import SPENT

MOST_EFFORT: Final = 1_000
MORE: Final = 700
"""What explaining may cost in all: with each exercise beyond the first that lost points, 700 more."""
CELLS, TURNS = 100, 1_000
"""The cost of a call follows from its size, in cells or steps, or from the turns that it could have made."""
ASKED: Final = 5
"""A call of a solver that asks the grader's Search for every cell costs five times that."""
RECORDED: Final = 50
"""A call that is recorded costs 50 times that: its story is told from thousands of lines."""
ON_EDITS: Final = 0.6
"""This part of an exercise's share is for edits; the rest confirms them, and pays for the story."""


@dataclass
class Purse:
    """What is left for explaining."""

    left: int = MOST_EFFORT
    exercises: int = 1
    """The exercises that it is still to be shared out to."""

    def share_out(self, exercises: int) -> None:
        """Be shared out to so many exercises."""
        self.exercises, self.left = exercises, self.left + MORE * max(0, exercises - 1)

    def for_edits(self) -> int:
        """Return what the next exercise may spend on edits: what is left is shared out evenly."""
        share = int(ON_EDITS * self.left / max(1, self.exercises))
        self.exercises -= 1
        return max(0, share)

    def pay(self, made: Iterable[tuple[Call, Claim]], *, asks: bool = False) -> None:
        """Pay for calls, given how each ended."""
        self.left -= sum(cost(call, claim, asks=asks) for call, claim in made)

    def paid(self, make_calls: MakeCalls, *, asks: bool = False) -> MakeCalls:
        """Return what makes calls that are paid from this; ``asks`` if with the grader's Search."""

        def made(calls: Sequence[Call], alone: bool) -> Sequence[Claim]:
            claims = make_calls(calls, alone)
            self.pay(zip(calls, claims, strict=True), asks=asks)
            return claims

        return made


def cost(call: Call, claim: Claim, *, asks: bool = False) -> int:
    """Return what a call costs: 1, plus 1 for every ``CELLS`` cells or steps.

    A call that ended its process costs 1 for every ``TURNS`` turns that it could have made.
    """
    is_spent = claim.outcome in SPENT
    paid = tried_turns(call) // TURNS if is_spent else 1 + size_of(call) // CELLS
    return paid * (ASKED if asks else 1) * (RECORDED if call.recorded else 1)
