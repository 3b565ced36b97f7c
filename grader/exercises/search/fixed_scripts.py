"""Scripts of calls on Search in which nothing is drawn: what drawn ones meet by luck only."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from grader.exercises.search.scripts import Script, Writer
from lab import MOVES, Dimension, Vector


def fixed_scripts(kind: str) -> list[Script]:
    """Scripts of a kind in which nothing is drawn, one for each direction."""
    written = _FIXED.get(kind)
    return [tuple(written(move).steps) for move in MOVES] if written else []


def _cells_so_far(move: Vector) -> Writer:
    """The known cells, asked for again when there are more."""
    one, cell = _in_the_middle()
    for _ in range(2):
        one.call("known_cells")
        cell = one.record(cell, move)
    one.call("known_cells")
    return one


def _a_way_each(move: Vector) -> Writer:
    """A cell that one Search found begins another: each knows its own way there. The one is asked before the
    other begins as well, which tells who has no right way at all."""
    one, cell = _in_the_middle()
    other = Writer(one.rng, one.corner, instance=1, steps=one.steps)
    shared = one.record(cell, move)
    one.ask(shared)
    other.start(shared)
    one.ask(shared)
    other.ask(shared)
    return one


_FIXED: dict[str, Callable[[Vector], Writer]] = {"new cell": _cells_so_far, "separate": _a_way_each}


def _in_the_middle() -> tuple[Writer, Vector]:
    """A Search that began two cells away from the sides of its grid at the least."""
    one = Writer(Random(0), Vector(0, 0), grid=Dimension(5, 5))
    one.start(Vector(3, 3))
    return one, Vector(3, 3)
