"""A mistake is shown on the smallest case that has it, of those that tell something.

First all small cases of the check's kind are tried, the smallest first, in a few messages. Where the
submission is right on all of them, the cases at hand are made smaller step by step: what a case can be
made into is tried in one message or two, and the smallest that are still wrong are made smaller in turn.

A submission may answer differently from call to call: each case is tried once, and what was wrong once
is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import inf
from operator import itemgetter

from grader.exercises.kit.check import Case, Ladder, Wrong

Tried = Callable[[Sequence[Case]], Sequence[Wrong]]
"""Tries cases, and returns the first ``WIDTH`` of those that are wrong, or all, in their order."""

STEPS = (40, 400, 2000)
"""How many of the small cases are tried in one message: most mistakes show on the first few."""
WIDTH = 6
"""At most 6 cases of one size are made smaller at once."""
MOST_AT_ONCE = 300
"""At most 300 cases are tried in one step of making cases smaller."""
FIRST = 24
"""In each such step the 24 smallest are tried first; the others only if fewer than 6 of those are wrong."""


def smallest(ladder: Ladder, wrong: Sequence[Wrong], tried: Tried, *, most: int) -> Iterator[Wrong]:
    """Yield the given mistakes, and those found on smaller cases, the smallest first.

    Cases that are too small to tell anything come last.

    At most ``most`` small cases are tried before the given cases are made smaller.
    """

    def size(each: Wrong) -> float:
        return ladder.size(each.case)

    at_hand = sorted(wrong, key=size)
    telling = [each for each in at_hand if size(each) >= ladder.telling]
    limit = size(telling[0]) if telling else inf
    found = _first_wrong(ladder, limit, tried, most)
    known = [*found, *telling]
    yield from _made_smaller(ladder, known, tried)
    yield from known
    yield from (each for each in at_hand if each not in telling)


def _first_wrong(ladder: Ladder, limit: float, tried: Tried, most: int) -> Sequence[Wrong]:
    """Return what is wrong in the first step in which anything is."""
    small = (case for case in ladder.rungs() if ladder.telling <= ladder.size(case) < limit)
    left = islice(small, most)
    for count in STEPS:
        if found := tried([*islice(left, count)]):
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
