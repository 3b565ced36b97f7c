"""Builds or breaks walls in the maze that it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, is_right


def _explains(exercise: str, sights: Sequence[Sight]) -> bool:
    """But for the changed maze everything is right, and every wrong run has changed it."""
    return all(is_right(exercise, replace(sight, changed=False)) for sight in sights)


MODEL = Model(
    name="changes-the-maze",
    exercises=SOLVERS,
    explains=_explains,
    hints={
        "en": (
            "The ways are right, but your solver leaves the maze changed. Which of your calls build "
            "or break walls, and where else could you write down which cells you have visited?"
        ),
        "nb": (
            "Veiene er riktige, men løseren din etterlater labyrinten endret. Hvilke av kallene dine "
            "bygger eller bryter vegger, og hvor ellers kunne du notere hvilke celler du har besøkt?"
        ),
    },
)
