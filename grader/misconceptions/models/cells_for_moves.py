"""Returns the cells of the way instead of its moves."""

from __future__ import annotations

from grader.misconceptions.exploring import Journey
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Gives, Sight, by_answers, gives_the_way


def _gives(start: int, end: int) -> Gives:
    def gives(sight: Sight, made: Journey) -> bool:
        if made.cells is None:
            return gives_the_way(sight, made)
        return sight.moves == made.cells[start : len(made.cells) - end]

    return gives


MODEL = Model(
    name="cells-for-moves",
    exercises=SOLVERS,
    explains=by_answers(*(_gives(start, end) for start in (0, 1) for end in (0, 1))),
    hints={
        "en": (
            "Your solver finds the way, but returns the cells of it where moves are asked for. Which "
            "move leads from one cell to the next, and how many moves does a way over five cells "
            "have?"
        ),
        "nb": (
            "Løseren din finner veien, men returnerer cellene i den der det spørres etter trekk. "
            "Hvilket trekk fører fra en celle til den neste, og hvor mange trekk har en vei over fem "
            "celler?"
        ),
    },
)
