"""Searches from the exit to the entry."""

from __future__ import annotations

from grader.misconceptions.exploring import Journey
from grader.misconceptions.model import Model
from grader.misconceptions.recast import by_marks
from grader.misconceptions.sights import SOLVERS, Sight, steps
from lab import Maze, Vector


def _exchanged(maze: Maze) -> tuple[Vector, Vector] | None:
    return None if maze.exit is None else (maze.exit, maze.entry)


def _turned(sight: Sight, made: Journey) -> bool:
    return sight.kind == "none" if made.cells is None else sight.moves == steps(made.cells[::-1])


def _as_found(sight: Sight, made: Journey) -> bool:
    return sight.kind == "none" if made.cells is None else sight.moves == steps(made.cells)


MODEL = Model(
    name="starts-at-the-exit",
    exercises=SOLVERS,
    explains=by_marks(_exchanged, answers=(_turned, _as_found)),
    hints={
        "en": (
            "Your solver searches from the exit. A way that leads there also leads back, but the "
            "cells are visited in another order, and not every maze has an exit. Where does the task "
            "let the search begin?"
        ),
        "nb": (
            "Løseren din leter fra utgangen. En vei dit fører også tilbake, men cellene besøkes i en "
            "annen rekkefølge, og ikke alle labyrinter har en utgang. Hvor lar oppgaven søket "
            "begynne?"
        ),
    },
)
