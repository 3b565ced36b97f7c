"""Groups of calls on which one check depends: after one that ran into a limit, or a few that ended their
process, the others are not made.

The session keeps them outside of the box, since which calls belong together may tell what is
expected of them.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from grader.model import Call, Claim, Outcome
from grader.model.claims import NOT_RUN
from grader.session.unanswered_calls import unanswered

MOST_DEATHS: Final = 3
"""After the third call of a group that ends its process, which takes seconds where it fills the memory, the
others are not made; until then each is made, and judged by how it ends itself."""
_DEATHS: Final = ("died", "out-of-memory")
SPENT: Final = ("endless", "timeout", "out-of-memory", "output-limit", "died", "violation")
"""Outcomes after which the rest of a group needs no run: each costs a process, or a limit."""


class Groups:
    """The groups of one run of calls, and which of them are spent."""

    def __init__(self) -> None:
        self._spent: dict[str, tuple[str, Outcome]] = {}
        self._deaths: Counter[str] = Counter()

    def note(self, call: Call, claim: Claim) -> bool:
        """Note how a call ended; tell whether its group is spent."""
        if call.group and claim.outcome in SPENT and self._is_last(call, claim):
            self._spent.setdefault(call.group, (call.id, claim.outcome))
        return call.group in self._spent

    def _is_last(self, call: Call, claim: Claim) -> bool:
        """Tell whether no more of the group is worth a run, and count calls that ended their process."""
        at_import = claim.fault is not None and claim.fault.stage == "import"
        if at_import or claim.outcome not in _DEATHS:
            return True
        self._deaths[call.group] += 1
        return self._deaths[call.group] >= MOST_DEATHS

    def not_made(self, call: Call) -> Claim | None:
        """Return the claim on a call whose group is spent; None where the call is worth making."""
        if call.group not in self._spent:
            return None
        first, outcome = self._spent[call.group]
        why = f"not run, since the call {first} of the same group ended so"
        return unanswered(call, outcome, why, kind=NOT_RUN)
