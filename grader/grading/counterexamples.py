"""The case on which a mistake is shown: the smallest that is found, once the verdict stands.

Nothing in here decides a mark. What is asked here only shows what was found before, on mazes that
everybody may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from grader.exercises.kit.check import Case, Check, Judge, Ladder, Wrong
from grader.grading.case_runs import CaseRuns, undone
from grader.grading.smallest import WIDTH, smallest
from grader.model import Claim, Status

MOST = 3000
"""At most 3,000 small cases of a check are tried."""
TRIED_ALONE = 4
"""At most 4 cases that were wrong among others are tried alone; the first that is wrong so is shown."""
ROUNDS = 4
"""After a case that came to no end the others of its message are not tried; they are sent again 3 times."""
COSTLY = ("timeout", "out-of-memory", "violation")
"""Outcomes that cost seconds of waiting, or a box: no more is tried after one of them."""


class CounterexampleFinder:
    """Looks for the smallest cases on which the mistakes of an exercise's runs show."""

    def __init__(self, runs: CaseRuns) -> None:
        self._runs = runs
        self._claims: dict[str, Claim] = {}
        self._is_over = False

    def plainest(self, check: Check, wrong: Wrong) -> Wrong:
        """Return the same mistake on the smallest case found that shows it, alone as well as among others."""
        is_own = wrong.case in check.cases
        judge, ladder = (
            (check.judge, check.ladder) if is_own else (check.control or check.judge, check.control_ladder)
        )
        if ladder is None or not self._is_worth_trying(wrong):
            return wrong
        status = wrong.finding.status
        at_hand = [wrong, *(self._others_like(check, ladder, status) if is_own else ())]

        def tried(cases: Sequence[Case]) -> Sequence[Wrong]:
            return self._wrong(cases, judge, status)

        for found in islice(smallest(ladder, at_hand, tried, most=MOST), TRIED_ALONE):
            if found.case is wrong.case:
                break
            claims = self._runs.with_alone([found.case])
            if found.case.call.id not in claims:
                break  # it was not asked: the time is used up
            alone = judge((found.case,), claims)
            if alone is not None and alone.finding.status == status:
                return alone if is_own else undone(alone)
        return wrong

    def _is_worth_trying(self, wrong: Wrong) -> bool:
        """Tell whether trying other cases takes no long waits, and may show more than this one does."""
        claim = self._runs.claims.get(wrong.case.call.id)
        if claim is None or wrong.case.hidden:
            return False
        is_loaded = claim.fault is None or claim.fault.stage == "call"
        return is_loaded and claim.outcome not in (*COSTLY, "missing")

    def _others_like(self, check: Check, ladder: Ladder, status: Status) -> Sequence[Wrong]:
        """Return a few more of the smallest cases that went wrong in the same way."""
        claims = self._runs.claims
        failed = [case for case in self._runs.failed(check) if claims[case.call.id].was_made]
        found = (check.judge((case,), claims) for case in sorted(failed, key=ladder.size))
        return [*islice((each for each in found if each and each.finding.status == status), WIDTH)]

    def _wrong(self, cases: Sequence[Case], judge: Judge, status: Status) -> Sequence[Wrong]:
        """Return those cases that go wrong in the same way, as many as are made smaller."""
        for _ in range(ROUNDS):
            new = [case for case in cases if case.call.id not in self._claims]
            if not new or self._is_over:
                break
            made = self._runs.made(new)
            self._claims |= {id_: claim for id_, claim in made.items() if claim.was_made}
            self._is_over = any(claim.outcome in COSTLY for claim in made.values())
            if found := self._found(cases, judge, status):
                return found
        return self._found(cases, judge, status)

    def _found(self, cases: Sequence[Case], judge: Judge, status: Status) -> Sequence[Wrong]:
        """Return the first few of them: no more of one step are made smaller, or tried alone."""
        claims = {**self._runs.claims, **self._claims}
        found = (judge((case,), claims) for case in cases if case.call.id in self._claims)
        return [*islice((each for each in found if each and each.finding.status == status), WIDTH)]
