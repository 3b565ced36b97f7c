"""What a student may have done, where the moves of a solver are nearly a way."""

from __future__ import annotations

import pytest

from lab.commands.suspicions import suspicion
from lab.maze import Maze
from lab.vector import EAST, NORTH, SOUTH, WEST

DEAD_END = Maze.from_text("+-+-+-+\n|S    |\n+ +-+-+\n|    E|\n+-+-+-+")


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ([EAST, EAST, SOUTH], "Read from its end, the list is a way"),
        ([WEST, WEST, NORTH], "It holds the moves that lead from E to S"),
        ([NORTH, WEST, WEST], "It holds the moves that lead from E to S"),
        ([EAST, EAST, SOUTH, EAST, EAST], "Without moves 1 to 2 it is a way"),
        ([SOUTH, EAST, EAST, EAST], "Without move 2 it is a way"),
        ([EAST, SOUTH, EAST, WEST, EAST], "Some of its moves are a way"),
        ([EAST, EAST], ""),
        ([EAST] * 40 + [SOUTH, EAST, EAST], ""),
        ([(1, 1)], ""),
        (3, ""),
    ],
)
def test_one_change_makes_it_a_way(returned: object, said: str) -> None:
    assert suspicion(DEAD_END, returned)[: len(said) or None] == said
