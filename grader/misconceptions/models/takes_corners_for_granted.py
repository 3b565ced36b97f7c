"""Takes it for granted that the entry is in the first cell, or the exit in the last."""

from __future__ import annotations

from grader.misconceptions.model import Model
from grader.misconceptions.recast import by_marks
from grader.misconceptions.sights import SOLVERS
from lab import Maze, Vector


def _entry_in_the_first(maze: Maze) -> tuple[Vector, Vector | None]:
    return Vector(1, 1), maze.exit


def _exit_in_the_last(maze: Maze) -> tuple[Vector, Vector | None]:
    return maze.entry, Vector(maze.dimension.row_count, maze.dimension.column_count)


def _exit_in_the_last_if_any(maze: Maze) -> tuple[Vector, Vector | None] | None:
    return _exit_in_the_last(maze) if maze.has_exit() else None


def _both(maze: Maze) -> tuple[Vector, Vector | None]:
    return Vector(1, 1), Vector(maze.dimension.row_count, maze.dimension.column_count)


MODEL = Model(
    name="takes-corners-for-granted",
    exercises=SOLVERS,
    explains=by_marks(_entry_in_the_first, _exit_in_the_last, _exit_in_the_last_if_any, _both),
    hints={
        "en": (
            "Your solver takes it for granted that the entry is in the north-west corner, or the exit "
            "in the south-east one. Who knows where they really are, and do you ask?"
        ),
        "nb": (
            "Løseren din tar for gitt at inngangen er i hjørnet i nordvest, eller utgangen i hjørnet "
            "i sørøst. Hvem vet hvor de egentlig er, og spør du?"
        ),
    },
)
