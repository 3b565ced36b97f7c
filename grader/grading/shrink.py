"""Showing a mistake on a small, plain maze.

First every small maze of the check's kind is tried, the smallest first, in a few messages. Where
the submission is right on all of them, Hypothesis looks for a smaller maze than the one at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import NoSuchExample, Unsatisfiable

from grader.cases.strategies import FAMILIES
from grader.checks.base import Case, Ladder, Wrong
from grader.oracle.facts import facts_of

Attempt = Callable[[Sequence[Case]], Wrong | None]
"""Tries cases, and returns the first that is wrong."""

STEPS = (50, 1000)
"""So many rungs are tried at a time: most mistakes show on the first few."""

EXAMPLES = 60
"""So many mazes Hypothesis tries."""


def from_the_ladder(ladder: Ladder, wrong: Wrong, attempt: Attempt) -> Wrong | None:
    """The mistake on the smallest rung that shows it; None where none does."""
    rungs = [text for text in ladder.rungs if _size(text) <= _size(wrong.case.maze)]
    start = 0
    for step in STEPS:
        cases = [ladder.case(text) for text in rungs[start : start + step]]
        found = attempt(cases) if cases else None
        if found is not None:
            return found
        start += step
    return None


def with_hypothesis(ladder: Ladder, wrong: Wrong, attempt: Attempt) -> Wrong:
    """The mistake on the smallest maze that Hypothesis comes upon; ``wrong`` where it finds none."""
    smallest = wrong
    limit = _size(wrong.case.maze)
    lent = [attempt]  # taken back below: Hypothesis ends in cycles, which would keep all claims alive

    def fails(text: str) -> bool:
        nonlocal smallest
        found = lent[0]([ladder.case(text)])
        if found is None:
            return False
        if _size(text) < _size(smallest.case.maze):
            smallest = found
        return True

    texts = FAMILIES[ladder.family].map(lambda maze: maze.to_text()).filter(lambda text: _size(text) < limit)
    try:
        with suppress(NoSuchExample, Unsatisfiable):
            hypothesis.find(texts, fails, settings=_SETTINGS)
    finally:
        lent.clear()
    return smallest


def _size(text: str | None) -> int:
    """The number of cells."""
    return facts_of(text).dimension.position_count if text else 0


_SETTINGS = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
