"""All small scripts of calls on Search: one search in a window of 2 x 2 cells, up to four calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grader.exercises.search.scripts import TAKES, Script, Step
from grader.exercises.search.simpler_scripts import is_fair
from lab import MOVES, Dimension, Vector

WINDOW: Final = Dimension(2, 2)
LONGEST: Final = 4
"""The most calls after the first: enough to find a way of three moves, and then one of one move."""


def small_scripts() -> Iterator[Script]:
    """Yield all small scripts, each followed by the questions that reveal what its calls did."""
    ending = (*_questions(), *_taking())
    for script in _growing(((0, "mark_as_pending", ((1, 1),)),), LONGEST):
        yield (*script, *ending)


def _growing(script: Script, more: int) -> Iterator[Script]:
    yield script
    if more:
        for step in _STEPS:
            if is_fair((*script, step)):
                yield from _growing((*script, step), more - 1)


def _steps() -> Iterator[Step]:
    for cell in WINDOW.all_positions():
        for move in MOVES:
            if WINDOW.includes(end := cell + move):
                yield 0, "record", (_pair(cell), _pair(move), _pair(end))
    for take in TAKES:
        yield 0, take, ()


def _questions() -> Iterator[Step]:
    for cell in WINDOW.all_positions():
        yield 0, "distance_to", (_pair(cell),)
        yield 0, "moves_to", (_pair(cell),)
    yield 0, "known_cells", ()


def _taking() -> Iterator[Step]:
    for _ in WINDOW.all_positions():
        yield 0, "has_pending_cells", ()
        yield 0, "first_pending", ()


def _pair(vector: Vector) -> tuple[int, int]:
    return vector.row, vector.column


_STEPS: Final = tuple(_steps())
