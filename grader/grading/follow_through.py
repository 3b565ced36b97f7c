"""Follow-through marks: a solver that stands on a wrong Search is judged with one that works.

One slip costs its own points. Where the submission's Search fails checks of its own, the checks that a solver
lost are tried again with the grader's Search, which stays outside of the box (``search_answers.py``). Each
question goes over the wire, so only as many cases are asked as tell a right solver from a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.checks.base import Case, Check
from grader.grading.trial import sample

MOST_CASES = 24
"""At most 24 cases of a check are tried again, from the smallest to the largest,"""
MOST_CELLS = 600
"""and at most 600 cells, all of them together, but one maze at the least."""


def thinned(check: Check) -> Check:
    """The same check with fewer cases."""
    return replace(check, cases=_few(check.cases), controls=_few(check.controls), context=_few(check.context))


def _few(cases: Sequence[Case]) -> tuple[Case, ...]:
    smallest_first = sorted(cases, key=_cells)
    left = MOST_CELLS - (_cells(smallest_first[0]) if smallest_first else 0)
    chosen = list(smallest_first[:1])
    for case in sample(smallest_first[1:], MOST_CASES - 1):
        left -= _cells(case)
        if left < 0:
            break
        chosen.append(case)
    return tuple(case for case in cases if case in chosen)


def _cells(case: Case) -> int:
    return case.facts.dimension.position_count
