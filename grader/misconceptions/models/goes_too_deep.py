"""Recurses deeper than Python allows in large mazes."""

from __future__ import annotations

from collections.abc import Sequence

from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, is_right

DEEP = 400
"""Mazes of fewer cells are no excuse."""


def _explains(exercise: str, sights: Sequence[Sight]) -> bool:
    """Right in all small mazes, and too deep only in large ones."""
    return all(_too_deep(sight) or is_right(exercise, sight) for sight in sights)


def _too_deep(sight: Sight) -> bool:
    return sight.ending == "too deep" and sight.maze.dimension.position_count >= DEEP


MODEL = Model(
    name="goes-too-deep",
    exercises=SOLVERS,
    explains=_explains,
    hints={
        "en": (
            "Your solver is right in small mazes, and in large ones calls itself too often, one call "
            "inside the other. How long can a way in a large maze become, and which list could do the "
            "work of the calls that wait?"
        ),
        "nb": (
            "Løseren din har rett i små labyrinter, men i store kaller den seg selv for mange ganger, "
            "det ene kallet inni det andre. Hvor lang kan en vei i en stor labyrint bli, og hvilken "
            "liste kunne gjøre arbeidet til kallene som venter?"
        ),
    },
)
