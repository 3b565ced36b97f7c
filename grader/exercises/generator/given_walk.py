"""Tell whether mazes are AldousBroder's work, copied and disguised.

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
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise, product
from random import Random

from grader.exercises.kit.facts import Facts
from lab import MOVES, Dimension, Vector
from lab.vector import EAST, SOUTH

SHIFTS = range(32)
"""How many words of the source may be skipped before the walk; a number takes two."""
STRIDES = (2, 3, 4)
"""How many words a step may take: one number, plus none, half a number, or one that is discarded."""
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
    size = _turned(facts.dimension, turn)
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


def _turned(size: Dimension, turn: Turn) -> Dimension:
    """Return the dimension of a rotated maze."""
    return Dimension(size.column_count, size.row_count) if turn[0] else size


def turned_cell(cell: Vector, facts: Facts, turn: Turn) -> Vector:
    """Return a cell's position in the maze rotated or mirrored in this way."""
    transposed, upside_down, mirrored = turn
    row, column = cell
    if upside_down:
        row = facts.dimension.row_count + 1 - row
    if mirrored:
        column = facts.dimension.column_count + 1 - column
    return Vector(column, row) if transposed else Vector(row, column)
