"""Draws its luck from elsewhere than the random numbers it was given."""

from __future__ import annotations

from collections.abc import Sequence

from grader.misconceptions.made import ROOMY, Sight, twins
from grader.misconceptions.model import Model

MANY = 3
"""So many seeds have to make different mazes."""


def _explains(_exercise: str, sights: Sequence[Sight]) -> bool:
    """The mazes fit, but one seed makes many, in nearly every pair of calls with the same seed."""
    roomy = [sight for sight in sights if min(sight.rows, sight.columns) >= ROOMY]
    return all(sight.fits for sight in sights) and len(twins(roomy)) >= MANY


MODEL = Model(
    name="other-luck",
    exercises=("generator",),
    explains=_explains,
    hints={
        "en": (
            "The same seed does not give the same maze again. From where does every random number in "
            "your code come, and what does the seed of the generator have to do with it?"
        ),
        "nb": (
            "Det samme frøet gir ikke den samme labyrinten igjen. Hvor kommer hvert tilfeldige tall i "
            "koden din fra, og hva har frøet til generatoren med det å gjøre?"
        ),
    },
)
