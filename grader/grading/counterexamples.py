"""The case on which a mistake is shown: the smallest that is found, once the verdict stands.

Nothing in here decides a mark. What is asked here only shows what was found before, on mazes that
everybody may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, takewhile
from math import inf
from operator import itemgetter

from grader.exercises.kit.check import Case, Check, Judge, Ladder, Wrong
from grader.grading.case_runs import CaseRuns
from grader.model import Claim, Status
from grader.session.budgets import size_of

# --- smallest ---------------------------------------------------------------------------------------
# A mistake is shown on the smallest case that has it, of those that tell something.
#
# First all small cases of the check's kind are tried, the smallest first, in a few messages. Where the
# submission is right on all of them, the cases at hand are made smaller step by step: what a case can be
# made into is tried in one message or two, and the smallest that are still wrong are made smaller in turn.
#
# A submission may answer differently from call to call: each case is tried once, and what was wrong once
# is wrong.


Tried = Callable[[Sequence[Case]], Sequence[Wrong]]
"""Tries cases, and returns the first ``WIDTH`` of those that are wrong, or all, in their order."""

STEPS = (40, 400)
"""How many of the small cases are tried in one message: most mistakes show on the first few. One that shows
on none of these is found sooner by making smaller what is at hand."""
WIDTH = 6
"""At most 6 cases of one size are made smaller at once."""
MOST_AT_ONCE = 300
"""At most 300 cases are tried in one step of making cases smaller."""
FIRST = 24
"""In each such step the 24 smallest are tried first; the others only if fewer than 6 of those are wrong."""


def smallest(
    ladder: Ladder, wrong: Sequence[Wrong], tried: Tried, steps: Sequence[int] = STEPS
) -> Iterator[Wrong]:
    """Yield the given mistakes, and those found on smaller cases, the smallest first.

    Cases that are too small to tell anything come last.
    """

    def size(each: Wrong) -> float:
        return ladder.size(each.case)

    at_hand = sorted(wrong, key=size)
    telling = [each for each in at_hand if size(each) >= ladder.telling]
    limit = size(telling[0]) if telling else inf
    found = _first_wrong(ladder, limit, tried, steps)
    known = [*found, *telling]
    yield from _made_smaller(ladder, known, tried)
    yield from known
    yield from (each for each in at_hand if each not in telling)


def _first_wrong(ladder: Ladder, limit: float, tried: Tried, steps: Sequence[int]) -> Sequence[Wrong]:
    """Return what is wrong in the first step in which anything is."""
    rungs = takewhile(lambda case: ladder.size(case) < limit, ladder.rungs())
    small = (case for case in rungs if ladder.telling <= ladder.size(case))
    for count in steps:
        if found := tried([*islice(small, count)]):
            return found
    return ()


def _made_smaller(ladder: Ladder, known: Sequence[Wrong], tried: Tried) -> Iterator[Wrong]:
    """Yield what is still wrong when the smallest cases are made smaller, the smallest first."""
    smaller: list[Wrong] = []
    while known:
        some = sorted(islice(_simpler(ladder, known), MOST_AT_ONCE), key=itemgetter(0))
        known = _smallest_wrong([case for _, case in some], tried)
        smaller = [*known, *smaller]
    yield from smaller


def _simpler(ladder: Ladder, known: Sequence[Wrong]) -> Iterator[tuple[float, Case]]:
    """Yield, once each and with its size, what the smallest cases can be made into.

    Only cases that are smaller than all of them count.
    """
    smallest = ladder.size(known[0].case)
    seen = set[str]()
    for each in known[:WIDTH]:
        for case in ladder.simpler(each):
            if case.call.id not in seen and ladder.telling <= (size := ladder.size(case)) < smallest:
                seen.add(case.call.id)
                yield size, case


def _smallest_wrong(by_size: Sequence[Case], tried: Tried) -> Sequence[Wrong]:
    """Return those cases that are wrong, as many as can be made smaller in turn."""
    found = tried(by_size[:FIRST])
    return found if len(found) >= WIDTH else [*found, *tried(by_size[FIRST:])]


MOST_EFFORT, CELLS = 1_000, 100
"""What the search may cost in one exercise: each case costs 1, and 1 more for every 100 cells or steps."""
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
        self._left = MOST_EFFORT

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

        for found in islice(smallest(ladder, at_hand, tried), TRIED_ALONE):
            if found.case is wrong.case:
                break
            claims = self._runs.with_alone([found.case])
            if found.case.call.id not in claims:
                break  # it was not asked: the time is used up
            alone = judge((found.case,), claims)
            if alone is not None and alone.finding.status == status:
                return alone if is_own else alone.undone
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
        found = (self._runs.found(check, case) for case in sorted(failed, key=ladder.size))
        return [*islice((each for each in found if each and each.finding.status == status), WIDTH)]

    def _wrong(self, cases: Sequence[Case], judge: Judge, status: Status) -> Sequence[Wrong]:
        """Return those cases that go wrong in the same way, as many as are made smaller."""
        for _ in range(ROUNDS):
            new = [case for case in cases if case.call.id not in self._claims]
            if not new or self._left <= 0:
                break
            self._left -= sum(1 + size_of(case.call) // CELLS for case in new)
            made = self._runs.made(new)
            self._claims |= {id_: claim for id_, claim in made.items() if claim.was_made}
            if any(claim.outcome in COSTLY for claim in made.values()):
                self._left = 0
            if found := self._found(cases, judge, status):
                return found
        return self._found(cases, judge, status)

    def _found(self, cases: Sequence[Case], judge: Judge, status: Status) -> Sequence[Wrong]:
        """Return the first few of them: no more of one step are made smaller, or tried alone."""
        claims = {**self._runs.claims, **self._claims}
        found = (judge((case,), claims) for case in cases if case.call.id in self._claims)
        return [*islice((each for each in found if each and each.finding.status == status), WIDTH)]
