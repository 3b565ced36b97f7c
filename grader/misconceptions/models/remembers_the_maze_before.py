"""Keeps what it learnt of one maze when it solves the next."""

from __future__ import annotations

from collections.abc import Sequence

from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, is_right


def _explains(exercise: str, sights: Sequence[Sight]) -> bool:
    """Right in the first maze of every solver, and wrong only in later ones."""
    return all(sight.later or is_right(exercise, sight) for sight in sights)


MODEL = Model(
    name="remembers-the-maze-before",
    exercises=SOLVERS,
    explains=_explains,
    hints={
        "en": (
            "Your solver is right the first time, and wrong when the same solver gets another maze. "
            "Where are your lists and sets made: once for all mazes, or anew for each?"
        ),
        "nb": (
            "Løseren din har rett første gang, og tar feil når den samme løseren får en ny labyrint. "
            "Hvor lages listene og mengdene dine: én gang for alle labyrinter, eller på nytt for "
            "hver?"
        ),
    },
)
