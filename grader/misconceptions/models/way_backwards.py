"""Returns the way from the exit to the entry, or its moves in that order."""

from __future__ import annotations

from grader.misconceptions.exploring import Journey
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_answers, gives_the_way, steps


def _reversed(sight: Sight, made: Journey) -> bool:
    return gives_the_way(sight, made) if made.cells is None else sight.moves == steps(made.cells)[::-1]


def _from_the_exit(sight: Sight, made: Journey) -> bool:
    return gives_the_way(sight, made) if made.cells is None else sight.moves == steps(made.cells[::-1])


MODEL = Model(
    name="way-backwards",
    exercises=SOLVERS,
    explains=by_answers(_reversed, _from_the_exit),
    hints={
        "en": (
            "Your solver returns the way as seen from the exit. If you collect the moves while you "
            "walk back from the exit, which of them do you meet first, and which is to be first in "
            "the answer?"
        ),
        "nb": (
            "Løseren din returnerer veien sett fra utgangen. Når du samler trekkene mens du går "
            "tilbake fra utgangen, hvilket møter du først, og hvilket skal stå først i svaret?"
        ),
    },
)
