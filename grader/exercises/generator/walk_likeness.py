"""Telling whether a generator walks as AldousBroder does, by the order in which it opens walls.

From the cell that joined last, a random walk goes on until it comes to a new cell; where it opens the next
wall is drawn from a known distribution (the harmonic measure of what it has seen). Three measures of an
opening, how likely it was, whether it is at the cell that joined last, and how far from it, are added up over
all openings of several mazes, and compared with what a walk gives, in standard deviations. A depth-first
search stays too near, a frontier goes too far, and what joins cells it has not seen grows no tree.

How the walk is spelt plays no part. So a student's own walk looks the same as a copy: this is for people to
look at, and takes no points. Nor does it see mazes whose walls are opened in another order afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import log, sqrt
from typing import Final, NamedTuple

from lab import MOVES, Dimension, Vector

Opening = tuple[Vector, Vector]
"""The cells on both sides of a wall, in either order."""

_NEAR: Final = 3.0
"""So many standard deviations a measure may be off. Of 30 sets of ten walks none was off by more than 2.2; of
other algorithms that grow a tree, all but mixtures of near and far are off by 5 or more."""
_LEAST: Final = 8
"""Fewer mazes tell too little."""


class _Step(NamedTuple):
    """An opening from a cell that was seen to one that was not, and what was seen before it."""

    seen: frozenset[Vector]
    here: Vector
    opening: Opening


def walks_alike(dimension: Dimension, mazes: Sequence[Sequence[Opening]]) -> bool:
    """Tell whether the openings of mazes of a dimension, each in their order, are those of a random walk."""
    beside = _beside(dimension)
    inside = [each for each in mazes if all(other in beside.get(one, ()) for one, other in each)]
    found = [_grown(openings) for openings in inside]
    whole = [steps for steps in found if len(steps) == dimension.position_count - 1]
    if len(whole) < max(_LEAST, len(inside)):
        return False
    sums = [[0.0, 0.0] for _ in range(3)]
    for step in (step for steps in whole for step in steps[1:]):
        chances = _chances(dimension, step.seen, step.here)
        for total, values in zip(sums, _measures(chances, step.here), strict=True):
            mean = sum(chance * values[opening] for opening, chance in chances.items())
            total[0] += values[step.opening] - mean
            total[1] += sum(chance * (values[opening] - mean) ** 2 for opening, chance in chances.items())
    return all(abs(off) <= _NEAR * sqrt(variance) for off, variance in sums)


def _grown(openings: Sequence[Opening]) -> list[_Step]:
    """Return the steps of a tree that grows from either side of its first opening; none if it does not."""
    for start in openings[0] if openings else ():
        if len(steps := [*_steps(openings, start)]) == len(openings):
            return steps
    return []


def _steps(openings: Sequence[Opening], start: Vector) -> Iterator[_Step]:
    seen, here = frozenset((start,)), start
    for one, other in openings:
        if (one in seen) == (other in seen):
            return
        opening = (one, other) if one in seen else (other, one)
        yield _Step(seen, here, opening)
        seen, here = seen | {opening[1]}, opening[1]


def _measures(chances: Mapping[Opening, float], here: Vector) -> Iterator[Mapping[Opening, float]]:
    yield {opening: log(chance) for opening, chance in chances.items()}
    yield {opening: float(opening[0] == here) for opening in chances}
    yield {
        (one, other): float(abs(one.row - here.row) + abs(one.column - here.column)) for one, other in chances
    }


def _chances(dimension: Dimension, seen: frozenset[Vector], here: Vector) -> dict[Opening, float]:
    """Return how likely a walk from a cell first leaves what was seen by each opening."""
    beside = _beside(dimension)
    cells = sorted(seen)
    number = {cell: index for index, cell in enumerate(cells)}
    rows = [[float(one is other) for other in cells] + [float(one == here)] for one in cells]
    for cell in cells:
        for other in beside[cell]:
            if other in number:
                rows[number[other]][number[cell]] -= 1 / len(beside[cell])
    visits = _solved(rows)
    return {
        (cell, other): visits[number[cell]] / len(beside[cell])
        for cell in cells
        for other in beside[cell]
        if other not in seen
    }


@cache
def _beside(dimension: Dimension) -> Mapping[Vector, Sequence[Vector]]:
    cells = dimension.all_positions()
    return {cell: [cell + move for move in MOVES if dimension.includes(cell + move)] for cell in cells}


def _solved(rows: list[list[float]]) -> list[float]:
    """Solve a system of equations, one a row, by elimination: its diagonal is never the smaller part."""
    for place, row in enumerate(rows):
        row[:] = [value / row[place] for value in row]
        for other in rows:
            if other is not row and (factor := other[place]):
                other[:] = [value - factor * part for value, part in zip(other, row, strict=True)]
    return [row[-1] for row in rows]
