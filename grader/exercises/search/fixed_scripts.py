"""Fixed scripts of calls on Search, for what drawn ones show only by luck."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from grader.exercises.search.scripts import Script, Writer
from lab import MOVES, Dimension, Vector


def fixed_scripts(kind: str) -> list[Script]:
    """Return the fixed scripts of a kind, one for each direction."""
    return [tuple(written(move).steps) for written in _FIXED.get(kind, ()) for move in MOVES]


def _cells_so_far(move: Vector) -> Writer:
    """Write a script that asks for the known cells, and again when there are more."""
    one, cell = _in_the_middle()
    for _ in range(2):
        one.call("known_cells")
        cell = one.record(cell, move)
    one.call("known_cells")
    return one


def _a_way_each(move: Vector) -> Writer:
    """Write a script in which a cell found by one Search starts another: each knows its own way there.

    The first is also asked before the other starts, to show whether it has a right way at all.
    """
    one, cell = _in_the_middle()
    other = Writer(one.rng, one.corner, instance=1, steps=one.steps)
    shared = one.record(cell, move)
    one.ask(shared)
    other.start(shared)
    one.ask(shared)
    other.ask(shared)
    return one


def _the_same_steps_again(move: Vector, *, takes: bool, further: int) -> Writer:
    """Write a script that records steps again after a shorter way to their start was found.

    First a cell is found by a detour, and cells beyond it from there; then the cell by a shorter way, after
    which the steps beyond it are recorded again: recording a step more than once may matter.
    """
    one, start = _in_the_middle()
    side = MOVES[(MOVES.index(move) + 1) % len(MOVES)]
    cell = start
    for step in (side, move, side.opposite()):
        cell = one.record(cell, step)
    beyond = _straight_on(one, cell, move, further)
    if takes:
        one.drain("first_pending")
    one.record(start, move)
    _straight_on(one, cell, move, further)
    for each in (cell, *beyond):
        one.ask(each)
    return one


def _straight_on(one: Writer, cell: Vector, move: Vector, count: int) -> list[Vector]:
    """Record ``count`` steps straight on from a cell, and return the cells reached."""
    found = []
    for _ in range(count):
        cell = one.record(cell, move)
        found.append(cell)
    return found


_FIXED: dict[str, tuple[Callable[[Vector], Writer], ...]] = {
    "new cell": (_cells_so_far,),
    "separate": (_a_way_each,),
    "shorter way": tuple(
        partial(_the_same_steps_again, takes=takes, further=further)
        for takes in (False, True)
        for further in (1, 2)
    ),
}


def _in_the_middle() -> tuple[Writer, Vector]:
    """Start a Search at least two cells away from the borders; return its writer and first cell."""
    one = Writer(Random(0), Vector(0, 0), grid=Dimension(5, 5))
    one.start(Vector(3, 3))
    return one, Vector(3, 3)
