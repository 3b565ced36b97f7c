"""Builds or breaks walls in the maze that it checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.misconceptions.answers import Sight, is_right
from grader.misconceptions.model import Model


def _explains(exercise: str, sights: Sequence[Sight]) -> bool:
    """But for the changed maze everything is right."""
    return all(is_right(exercise, replace(sight, changed=False)) for sight in sights)


MODEL = Model(
    name="changes-the-checked-maze",
    exercises=("perfection",),
    explains=_explains,
    hints={
        "en": (
            "The answers are right, but your checker leaves the maze changed. Which of your calls "
            "build or break walls, and where else could you write down what you have seen?"
        ),
        "nb": (
            "Svarene er riktige, men sjekkeren din etterlater labyrinten endret. Hvilke av kallene "
            "dine bygger eller bryter vegger, og hvor ellers kunne du notere hva du har sett?"
        ),
    },
)
