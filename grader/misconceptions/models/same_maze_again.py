"""Makes the same maze again when it is called a second time."""

from __future__ import annotations

from collections.abc import Sequence

from grader.misconceptions.made import Sight, twins
from grader.misconceptions.model import Model


def _explains(_exercise: str, sights: Sequence[Sight]) -> bool:
    """The mazes fit, seeds matter, but all mazes of one generator are the same."""
    several = [sight for sight in sights if len(sight.mazes) > 1]
    return (
        all(sight.fits for sight in sights)
        and all(len(set(sight.mazes)) == 1 for sight in several)
        and len({sight.mazes for sight in several}) > 1
        and not twins(sights)
    )


MODEL = Model(
    name="same-maze-again",
    exercises=("generator",),
    explains=_explains,
    hints={
        "en": (
            "Asked a second time, your generator makes the same maze again. What does it begin anew "
            "that it should go on with, or give out again what it has made before?"
        ),
        "nb": (
            "Når generatoren din blir spurt en gang til, lager den den samme labyrinten igjen. Hva "
            "begynner den på nytt med som den skulle ha fortsatt med, eller gir den ut igjen noe den "
            "har laget før?"
        ),
    },
)
