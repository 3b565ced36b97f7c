"""Recurses deeper than Python allows in large mazes."""

from __future__ import annotations

from collections.abc import Sequence

from grader.misconceptions.made import Sight
from grader.misconceptions.model import Model

DEEP = 200
"""Mazes of fewer cells are no excuse."""


def _explains(_exercise: str, sights: Sequence[Sight]) -> bool:
    return any(map(_too_deep, sights)) and all(sight.fits or _too_deep(sight) for sight in sights)


def _too_deep(sight: Sight) -> bool:
    return sight.ending == "too deep" and sight.rows * sight.columns >= DEEP


MODEL = Model(
    name="generator-goes-too-deep",
    exercises=("generator",),
    explains=_explains,
    hints={
        "en": (
            "Your generator is right for small mazes, and for large ones calls itself too often, one "
            "call inside the other. Which list could do the work of the calls that wait?"
        ),
        "nb": (
            "Generatoren din har rett for små labyrinter, men for store kaller den seg selv for mange "
            "ganger, det ene kallet inni det andre. Hvilken liste kunne gjøre arbeidet til kallene "
            "som venter?"
        ),
    },
)
