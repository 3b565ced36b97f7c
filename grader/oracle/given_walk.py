"""Telling whether mazes are the work of AldousBroder, copied and disguised.

The walk of AldousBroder follows from the numbers that ``rng.random()`` gives: each chooses a
neighbour of the cell in hand, and the wall to a new cell is opened. So it can be walked again in a
finished maze, and leaves it at the first step through a wall that is still there. It is tried from
every cell, with numbers left out before it or at each of its steps, and on the maze turned and
mirrored. A maze of twenty cells fits one such walk in a hundred by chance; ten mazes never do.

What this cannot see: a copy that draws from another source than the generator's ``rng``, that leaves
out more numbers, or that chooses by another call. Whoever writes a random walk with a choice of their
own (``rng.choice``, ``rng.randrange``) makes other mazes, and is not taken for a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, product
from random import Random

from grader.oracle.facts import Facts
from lab import MOVES, Vector

SHIFTS = range(32)
"""So many words of the source may go by before the walk; a number takes two."""
STRIDES = (2, 3, 4)
"""So many words a step may take: one number, and none, half of one, or one that is thrown away."""
TURNS = tuple(product((False, True), repeat=3))
"""Rows for columns, rows from the other end, columns from the other end."""
WORDS = 4000

Sides = Sequence[Sequence[tuple[int, bool]]]
"""For each cell its neighbours North, East, South and West, by number, and whether the wall is open."""

Turn = tuple[bool, ...]


def is_given_walk(mazes: Sequence[tuple[int, Facts]]) -> bool:
    """Whether the mazes, each with its seed, are perfect and all the work of one disguise of the walk."""
    if not all(facts.is_perfect for _, facts in mazes):
        return False
    return any(
        all(_is_walked(facts, turn, _numbers(seed), stride) for seed, facts in mazes)
        for turn in TURNS
        for stride in STRIDES
    )


def _is_walked(facts: Facts, turn: Turn, numbers: Sequence[float], stride: int) -> bool:
    sides = _sides(facts, turn)
    return any(
        _fits(sides, start, numbers, range(shift, len(numbers), stride))
        for shift in SHIFTS
        for start in range(len(sides))
    )


def _fits(sides: Sides, start: int, numbers: Sequence[float], places: range) -> bool:
    """Whether a walk that the numbers in these places lead opens just the walls that are open."""
    seen = {start}
    here, left = start, len(sides) - 1
    for place in places:
        neighbours = sides[here]
        here, is_open = neighbours[int(numbers[place] * len(neighbours))]
        if here not in seen:
            if not is_open:
                return False
            seen.add(here)
            left -= 1
            if not left:
                return True
    return False


@lru_cache(maxsize=32)
def _numbers(seed: int) -> Sequence[float]:
    """What random() would give from each word of the source on."""
    rng = Random(seed)
    words = [rng.getrandbits(32) for _ in range(WORDS)]
    return [((one >> 5) * 2**26 + (other >> 6)) / 2**53 for one, other in pairwise(words)]


def _sides(facts: Facts, turn: Turn) -> Sides:
    """The maze turned and mirrored, as numbers."""
    maze = facts.maze
    turned = {turned_cell(cell, facts, turn): cell for cell in maze.dimension.all_positions()}
    numbers = {place: number for number, place in enumerate(turned)}

    def neighbours(place: Vector) -> list[tuple[int, bool]]:
        found = [place + move for move in MOVES if place + move in turned]
        return [(numbers[other], _is_open(facts, turned[place], turned[other])) for other in found]

    return [neighbours(place) for place in turned]


def _is_open(facts: Facts, cell: Vector, neighbour: Vector) -> bool:
    move = Vector(neighbour.row - cell.row, neighbour.column - cell.column)
    return facts.maze.is_clear(cell, move)


def turned_cell(cell: Vector, facts: Facts, turn: Turn) -> Vector:
    """Where a cell lies when the maze is turned or mirrored so."""
    transposed, upside_down, mirrored = turn
    row, column = cell
    if upside_down:
        row = facts.dimension.row_count + 1 - row
    if mirrored:
        column = facts.dimension.column_count + 1 - column
    return Vector(column, row) if transposed else Vector(row, column)
