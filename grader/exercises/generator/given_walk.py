"""Whether what a generator made is AldousBroder's work, copied and disguised.

The walk of AldousBroder follows from the numbers that ``rng.random()`` returns: each chooses a neighbour of
the current cell, and the wall to a new cell is opened. So the walk can be repeated in a finished maze, and it
departs from it at the first step through a closed wall. It is tried from every cell, with numbers skipped
before it or at each of its steps, and on the rotated and mirrored maze. A maze of twenty cells fits one such
walk in a hundred by chance; ten mazes never do.

How each walk begins depends only on dimension and seed, so it is computed once for all submissions, as the
set of walls that it opens: few walks have to be followed any further in a maze.

Not detected: a copy that draws from another source than the generator's ``rng``, that skips more numbers, or
that chooses by another call. Whoever writes a random walk with another choice (``rng.choice``,
``rng.randrange``) makes other mazes, and is not mistaken for a copier.

Telling whether a generator walks as AldousBroder does, by the order in which it opens walls.

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
from functools import cache, lru_cache
from itertools import islice, pairwise, product
from math import log, sqrt
from random import Random
from typing import Final, NamedTuple

from grader.exercises.kit.facts import Facts
from lab import MOVES, Dimension, Vector
from lab.vector import EAST, SOUTH

SHIFTS = range(32)
"""How many words of the source may be skipped before the walk; a number takes two."""
STRIDES = range(2, 7)
"""How many words a step may take: one number takes two, and up to two more are thrown away."""
TURNS = tuple(product((False, True), repeat=3))
"""Whether rows and columns are exchanged, rows are reversed, and columns are reversed."""
WORDS = 4000
BEGINNING = 8
"""How many walls a walk opens before these are compared with the maze's open walls."""

Grid = Sequence[Sequence[int]]
"""The neighbours of each cell, North, East, South and West, by number, row by row."""

Walls = int
"""A set of inner walls, one bit each."""

Turn = tuple[bool, ...]


def is_given_walk(mazes: Sequence[tuple[int, Facts]]) -> bool:
    """Return whether the mazes, given with seeds, are perfect and all made by one disguise of the walk."""
    if not all(facts.is_perfect for _, facts in mazes):
        return False
    return any(
        all(_is_walked(facts, turn, seed, stride) for seed, facts in mazes)
        for turn in TURNS
        for stride in STRIDES
    )


def _is_walked(facts: Facts, turn: Turn, seed: int, stride: int) -> bool:
    """Return whether a walk with the seed's numbers opens exactly the open walls."""
    size = Dimension(facts.dimension.column_count, facts.dimension.row_count) if turn[0] else facts.dimension
    opened = _opened(facts, turn, size)
    return any(
        walls & opened == walls and _fits(opened, size, _walk(size, start, _numbers(seed), shift, stride))
        for start, shift, walls in _beginnings(size, seed, stride)
    )


def _fits(opened: Walls, size: Dimension, walk: Iterator[Walls]) -> bool:
    """Return whether a walk reaches all cells through open walls."""
    came_to = 1
    for wall in walk:
        if not wall & opened:
            return False
        came_to += 1
    return came_to == size.position_count


@lru_cache(maxsize=256)
def _beginnings(size: Dimension, seed: int, stride: int) -> Sequence[tuple[int, int, Walls]]:
    """Return each walk's first cell, how many words are skipped before it, and the walls it opens first."""
    numbers = _numbers(seed)
    return [
        (start, shift, sum(islice(_walk(size, start, numbers, shift, stride), BEGINNING)))
        for shift in SHIFTS
        for start in range(size.position_count)
    ]


def _walk(size: Dimension, start: int, numbers: Sequence[float], shift: int, stride: int) -> Iterator[Walls]:
    """Yield the walls that a walk opens until all cells are reached or no numbers are left."""
    grid = _grid(size)
    seen, here, left = {start}, start, len(grid) - 1
    for place in range(shift, len(numbers), stride):
        if not left:
            return
        neighbours = grid[here]
        there = neighbours[int(numbers[place] * len(neighbours))]
        if there not in seen:
            seen.add(there)
            left -= 1
            yield _wall(here, there)
        here = there


def _wall(here: int, there: int) -> Walls:
    """Return the wall between two neighbours."""
    return 1 << 2 * min(here, there) + (abs(here - there) == 1)


@lru_cache(maxsize=32)
def _numbers(seed: int) -> Sequence[float]:
    """Return what random() returns when it starts at each word of the source."""
    rng = Random(seed)
    words = [rng.getrandbits(32) for _ in range(WORDS)]
    return [((one >> 5) * 2**26 + (other >> 6)) / 2**53 for one, other in pairwise(words)]


@lru_cache(maxsize=8)
def _grid(size: Dimension) -> Grid:
    """Return each cell's neighbours, ignoring walls."""
    cells = size.all_positions()
    return [[_number(cell + move, size) for move in MOVES if size.includes(cell + move)] for cell in cells]


def _number(cell: Vector, size: Dimension) -> int:
    return (cell.row - 1) * size.column_count + cell.column - 1


def _opened(facts: Facts, turn: Turn, size: Dimension) -> Walls:
    """Return the open walls of the rotated or mirrored maze."""
    numbers = {
        cell: _number(turned_cell(cell, facts, turn), size) for cell in facts.dimension.all_positions()
    }
    return sum(
        _wall(number, numbers[cell + move])
        for cell, number in numbers.items()
        for move in facts.maze.valid_moves_at(cell)
        if move in (EAST, SOUTH)
    )


def turned_cell(cell: Vector, facts: Facts, turn: Turn) -> Vector:
    """Return a cell's position in the maze rotated or mirrored in this way."""
    transposed, upside_down, mirrored = turn
    row, column = cell
    if upside_down:
        row = facts.dimension.row_count + 1 - row
    if mirrored:
        column = facts.dimension.column_count + 1 - column
    return Vector(column, row) if transposed else Vector(row, column)


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
