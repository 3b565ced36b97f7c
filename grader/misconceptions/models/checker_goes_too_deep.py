"""Recurses deeper than Python allows in large mazes."""

from __future__ import annotations

from collections.abc import Sequence

from grader.misconceptions.answers import Sight, is_right
from grader.misconceptions.model import Model

DEEP = 400
"""Mazes of fewer cells are no excuse."""


def _explains(exercise: str, sights: Sequence[Sight]) -> bool:
    return all(_too_deep(sight) or is_right(exercise, sight) for sight in sights)


def _too_deep(sight: Sight) -> bool:
    return sight.answer == "deep" and len(sight.features.cells) >= DEEP


MODEL = Model(
    name="checker-goes-too-deep",
    exercises=("perfection",),
    explains=_explains,
    hints={
        "en": (
            "Your checker is right for small mazes, and in large ones calls itself too often, one "
            "call inside the other. Which list could do the work of the calls that wait?"
        ),
        "nb": (
            "Sjekkeren din har rett for små labyrinter, men i store kaller den seg selv for mange "
            "ganger, det ene kallet inni det andre. Hvilken liste kunne gjøre arbeidet til kallene "
            "som venter?"
        ),
    },
)
