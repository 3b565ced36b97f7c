"""Values that a solver returned: which are ways, and what is wrong with the others."""

from __future__ import annotations

from collections import deque

import pytest

from lab import EAST, NORTH, SOUTH, WEST, Maze, Vector
from lab.way import describe, flaw

MAZE = Maze.from_text("""
+-+-+-+
|S    |
+ +-+ +
|    E|
+-+-+-+
""")


class Path(list[Vector]):
    """A list of a student's own."""


@pytest.mark.parametrize(
    "way",
    [
        None,
        [EAST, EAST, SOUTH],
        [(1, 0), (0, 1), (0, 1)],
        Path([EAST, EAST, SOUTH]),
        (EAST, EAST, SOUTH),
        deque([EAST, EAST, SOUTH]),
    ],
)
def test_ways(way: object) -> None:
    assert flaw(MAZE, way) is None


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        (True, "returned True; expected a list of moves, or None"),
        ([EAST, SOUTH], "move 2 (south) runs into a wall at (1, 2)"),
        ([WEST], "move 1 (west) runs into the border at (1, 1)"),
        ([EAST, WEST], "move 2 (west) comes to (1, 1) a second time"),
        ([EAST], "the moves end in (1, 2), not in the exit (2, 3)"),
        ([Vector(2, 3)], "element 1 of the list is (2, 3), not a move (NORTH, EAST, SOUTH or WEST): "
         "the list holds the moves of the way, not its cells"),
        ([EAST, 5], "element 2 of the list is 5, not a move (NORTH, EAST, SOUTH or WEST)"),
    ],
)  # fmt: skip
def test_flaws(value: object, wrong: str) -> None:
    assert flaw(MAZE, value) == wrong


def test_a_repr_that_raises_is_survived() -> None:
    class Rude:
        def __repr__(self) -> str:
            raise ValueError("no")

    assert describe(Rude()) == "<no repr: ValueError>"


def test_a_walk_may_come_by_again_and_end_anywhere_but_runs_into_no_wall() -> None:
    way = [*(Vector(*move) for move in MAZE.valid_moves_at(MAZE.entry))][:1]
    there_and_back = [*way, way[0].opposite()]
    assert flaw(MAZE, there_and_back, any_walk=True) is None
    blocked = next(move for move in (NORTH, EAST, SOUTH, WEST) if not MAZE.is_clear(MAZE.entry, move))
    assert flaw(MAZE, [blocked], any_walk=True) is not None
