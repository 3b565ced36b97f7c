"""Returns a maze with all its walls."""

from __future__ import annotations

from grader.misconceptions.made import Sight, by_calls
from grader.misconceptions.model import Model


def _closed(sight: Sight) -> bool:
    return sight.all_mazes and all(not maze.edges for maze in sight.features)


MODEL = Model(
    name="all-walls",
    exercises=("generator",),
    explains=by_calls(_closed),
    hints={
        "en": (
            "No wall of your mazes has been opened. If you start with all walls, which call opens "
            "one, and on which maze do you call it?"
        ),
        "nb": (
            "Ingen vegg i labyrintene dine er åpnet. Hvis du begynner med alle veggene, hvilket kall "
            "åpner en, og på hvilken labyrint kaller du det?"
        ),
    },
)
