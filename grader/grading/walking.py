"""Which lines of the student's own file ran at each step of a walk that is shown.

They are claims like any other: shown, where they fit the walk and the file, and of no weight for a mark.
"""

from __future__ import annotations

from typing import Any, Final

from grader.exercises.kit.check import Wrong
from grader.model import Claim
from grader.model.claims import Positions, SolveRun, Steps

MOST_LINES: Final = 1_000
"""Of a walk whose steps have more lines together nothing is told."""


def walk_of(wrong: Wrong) -> Positions:
    """The cells that a solver is shown to have visited, one by one."""
    actual = wrong.finding.actual
    visits: Any = actual.get("walk") or actual.get("visits") or ()
    return tuple((row, column) for row, column in visits)


def steps_of(walk: Positions, again: Claim, line_count: int) -> Steps:
    """The lines that ran at each step of a walk, as its call tells them that was made again.

    None where it took another walk, or tells of lines that are not in a file of so many.
    """
    steps = next(filter(None, (_told(run, walk) for run in reversed(again.runs))), ())
    lines = [line for step in steps for line in step]
    fits = len(steps) == len(walk) and all(1 <= line <= line_count for line in lines)
    return steps if fits and 0 < len(lines) <= MOST_LINES else ()


def _told(run: SolveRun, walk: Positions) -> Steps:
    """The lines of what was seen of a run that shows this walk; none where it shows another."""
    seen = {"walk": run.revisits.walk if run.revisits else (), **run.streams}
    return next((run.lines.get(name, ()) for name, cells in seen.items() if cells == walk), ())
