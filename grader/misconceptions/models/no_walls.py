"""Returns a maze without inner walls."""

from __future__ import annotations

from grader.misconceptions.answers import Features
from grader.misconceptions.made import Sight, by_calls
from grader.misconceptions.model import Model


def _empty(sight: Sight) -> bool:
    return sight.all_mazes and all(_without_walls(maze) for maze in sight.features)


def _without_walls(maze: Features) -> bool:
    return all(maze.maze.valid_moves_at(cell) == maze.maze.moves_at(cell) for cell in maze.cells)


MODEL = Model(
    name="no-walls",
    exercises=("generator",),
    explains=by_calls(_empty),
    hints={
        "en": "Your mazes are empty rooms. If you start without walls, where do you build them?",
        "nb": "Labyrintene dine er tomme rom. Hvis du begynner uten vegger, hvor bygger du dem?",
    },
)
