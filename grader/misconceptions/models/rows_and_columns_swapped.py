"""Takes rows for columns."""

from __future__ import annotations

from grader.misconceptions.made import Sight, by_calls
from grader.misconceptions.model import Model


def _swapped(sight: Sight) -> bool:
    whole = sight.all_mazes and all(maze.perfect for maze in sight.features)
    return whole and sight.sizes == {(sight.columns, sight.rows)}


MODEL = Model(
    name="rows-and-columns-swapped",
    exercises=("generator",),
    explains=by_calls(_swapped),
    hints={
        "en": (
            "Your mazes are perfect, but rows and columns have changed places. In which order does a "
            "Dimension hold them, and in which do you take them?"
        ),
        "nb": (
            "Labyrintene dine er perfekte, men rader og kolonner har byttet plass. I hvilken "
            "rekkefølge har en Dimension dem, og i hvilken tar du dem?"
        ),
    },
)
