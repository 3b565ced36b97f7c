"""Returns each move turned round."""

from __future__ import annotations

from grader.misconceptions.exploring import Journey
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_answers, gives_the_way, steps


def _opposite(sight: Sight, made: Journey) -> bool:
    if made.cells is None:
        return gives_the_way(sight, made)
    return sight.moves == tuple(move.opposite() for move in steps(made.cells))


MODEL = Model(
    name="opposite-moves",
    exercises=SOLVERS,
    explains=by_answers(_opposite),
    hints={
        "en": (
            "Every move that your solver returns points the wrong way. Do you write down the move "
            "that leads to a cell, or the one that leads back from it?"
        ),
        "nb": (
            "Hvert trekk løseren din returnerer, peker feil vei. Skriver du ned trekket som fører til "
            "en celle, eller det som fører tilbake fra den?"
        ),
    },
)
