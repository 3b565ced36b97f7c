"""Makes mazes without an exit."""

from __future__ import annotations

from grader.misconceptions.made import Sight, by_calls
from grader.misconceptions.model import Model


def _without_exit(sight: Sight) -> bool:
    return sight.all_mazes and all(maze.perfect and not maze.maze.has_exit() for maze in sight.features)


MODEL = Model(
    name="no-exit",
    exercises=("generator",),
    explains=by_calls(_without_exit),
    hints={
        "en": (
            "Your mazes are perfect, but have no exit. What does the factory give you, and do you go "
            "on working with that?"
        ),
        "nb": (
            "Labyrintene dine er perfekte, men har ingen utgang. Hva gir fabrikken deg, og arbeider "
            "du videre med det?"
        ),
    },
)
