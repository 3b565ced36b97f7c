"""Makes the same maze whatever the seed."""

from __future__ import annotations

from collections.abc import Sequence

from grader.misconceptions.made import ROOMY, Sight
from grader.misconceptions.model import Model


def _explains(_exercise: str, sights: Sequence[Sight]) -> bool:
    """The mazes fit, but all first ones of a dimension are the same, whatever the seed."""
    roomy = [sight for sight in sights if min(sight.rows, sight.columns) >= ROOMY and sight.mazes]
    sizes = {(sight.rows, sight.columns) for sight in roomy}
    return all(sight.fits for sight in sights) and len({sight.mazes[0] for sight in roomy}) == len(sizes)


MODEL = Model(
    name="no-luck",
    exercises=("generator",),
    explains=_explains,
    hints={
        "en": (
            "Other seeds do not give other mazes. Which of your choices are random, and who decides "
            "about the random numbers behind them?"
        ),
        "nb": (
            "Andre frø gir ikke andre labyrinter. Hvilke av valgene dine er tilfeldige, og hvem "
            "bestemmer over de tilfeldige tallene bak dem?"
        ),
    },
)
