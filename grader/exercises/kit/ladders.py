"""Where checks find small cases to show a mistake on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.exercises.kit.cases.simpler_mazes import simpler
from grader.exercises.kit.cases.small_mazes import small_mazes
from grader.exercises.kit.check import Case, Ladder


def maze_ladder(kind: str, case: Callable[[str], Case], *, telling: int = 0) -> Ladder:
    """Return a ladder of small mazes of a kind, and mazes made smaller; size is the number of cells."""
    return Ladder(
        rungs=lambda: map(case, small_mazes(kind)),
        simpler=lambda wrong: map(case, simpler(wrong.case.facts.text, kind)),
        size=lambda case: case.facts.dimension.position_count,
        telling=telling,
    )


def case_ladder(cases: Sequence[Case], size: Callable[[Case], float]) -> Ladder:
    """Return a ladder of small cases, the smallest first; nothing is made smaller."""
    return Ladder(rungs=lambda: cases, simpler=lambda _: (), size=size)
