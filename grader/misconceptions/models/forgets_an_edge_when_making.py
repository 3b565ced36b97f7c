"""Leaves the last row or column walled off."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.misconceptions.answers import Features
from grader.misconceptions.made import Sight
from grader.misconceptions.model import Model


def _leaves_out(rows: int, columns: int) -> Callable[[Sight], bool]:
    def explains(sight: Sight) -> bool:
        return sight.all_mazes and all(map(partly, sight.features))

    def partly(maze: Features) -> bool:
        size = maze.maze.dimension
        left_out = {
            cell
            for cell in maze.cells
            if cell.row > size.row_count - rows or cell.column > size.column_count - columns
        }
        return maze.acyclic and set(maze.cells) - maze.reached == left_out - {maze.maze.entry}

    return explains


def _explains(_exercise: str, sights: Sequence[Sight]) -> bool:
    return any(all(map(_leaves_out(*edges), sights)) for edges in ((1, 0), (0, 1), (1, 1)))


MODEL = Model(
    name="forgets-an-edge-when-making",
    exercises=("generator",),
    explains=_explains,
    hints={
        "en": (
            "The last row or the last column of your mazes cannot be reached. Rows and columns count "
            "from 1: where do your loops, or your random numbers, begin and end?"
        ),
        "nb": (
            "Den siste raden eller den siste kolonnen i labyrintene dine kan ikke nås. Rader og "
            "kolonner telles fra 1: hvor begynner og slutter løkkene dine, eller de tilfeldige "
            "tallene?"
        ),
    },
)
