"""Follow-through marks: a solver that stands on a wrong Search is judged with one that works.

One slip costs its own points. Where the submission's Search fails checks of its own, the checks that a solver
lost are tried again with the grader's Search, which stays outside of the box (``search_answers.py``). Each
question goes over the wire, so only what went wrong is asked again, and of that no more than tells a right
solver from a wrong one: a few cases of each family, which all checks share, and smaller ones for the large.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.exercises.kit.check import Case, Check, Claims, Judge
from grader.exercises.kit.facts import Facts
from grader.grading.trial import sample
from grader.session.budgets import size_of
from lab.exercises import SOLVER_IDS

MOST_CASES = 10
"""At most 10 cases of a family are tried again for a check, from the smallest to the largest,"""
MOST_CELLS = 80
"""and at most 80 cells, all of them together, but one maze at the least."""
MOST_CONTROLS = 4
"""At most 4 controls tell whether a solver does its work at all."""
MOST_RUNGS = 50
"""At most 50 of the smallest mazes are looked at to show a mistake."""


def thinned(lost: Sequence[Check], claims: Claims) -> tuple[Check, ...]:
    """The checks that were lost, with a few of the cases that went wrong."""
    suspects = {check.id: _suspects(check, claims) for check in lost}
    chosen = {case.call.id: case for check in lost for case in check.brief}
    for check in sorted(lost, key=lambda check: len(suspects[check.id])):
        for family in _families(suspects[check.id]):
            known = [case for case in family if case.call.id in chosen]
            chosen |= {case.call.id: case for case in _few(family, known)}
    return tuple(
        replace(
            check,
            cases=_among(check.brief or check.cases, chosen),
            controls=_among(check.controls, chosen),
            ladder=check.ladder and check.ladder.cut(MOST_RUNGS),
            control_ladder=None,
        )
        for check in lost
    )


def _suspects(check: Check, claims: Claims) -> list[Case]:
    """The cases and controls that went wrong; all of those of which none did."""
    if check.brief:
        return []  # those are asked anyway
    wrong = _wrong(check.judge, check.cases, claims) or check.cases
    if check.control is None:
        return [*wrong]
    return [*wrong, *sample(_wrong(check.control, check.controls, claims) or check.controls, MOST_CONTROLS)]


def _wrong(judge: Judge, cases: Sequence[Case], claims: Claims) -> list[Case]:
    return [case for case in cases if judge((case,), claims) is not None]


def _families(cases: Iterable[Case]) -> list[list[Case]]:
    """The cases by their group, those apart on which a wrong order leads to a longer way."""
    families: dict[tuple[str, bool], dict[str, Case]] = {}
    for case in cases:
        families.setdefault((case.call.group, _has_detours(case)), {})[case.call.id] = case
    return [[*family.values()] for family in families.values()]


def _has_detours(case: Case) -> bool:
    """Tell whether some solver that is right finds a way that is not the shortest."""
    if not isinstance(case.given, Facts):
        return False
    length = case.facts.length
    return length is not None and any(
        len(way) > length for solver in SOLVER_IDS for way in case.facts.ways[solver]
    )


def _few(family: Sequence[Case], known: Sequence[Case]) -> list[Case]:
    """Cases of a family, evenly by their size, as many as are left beside those that are asked anyway."""
    smallest_first = sorted((case for case in family if case not in known), key=_cells)
    left = MOST_CELLS - sum(map(_cells, known))
    chosen: list[Case] = []
    for case in sample(smallest_first, max(1, MOST_CASES - len(known))):
        left -= _cells(case)
        if left < 0 and (chosen or known):
            break
        chosen.append(case)
    return chosen


def _among(cases: Sequence[Case], chosen: dict[str, Case]) -> tuple[Case, ...]:
    return tuple(case for case in cases if case.call.id in chosen)


def _cells(case: Case) -> int:
    return size_of(case.call)
