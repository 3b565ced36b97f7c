"""Returns a list of something else than moves: names, pairs, lists."""

from __future__ import annotations

from grader.misconceptions.exploring import Journey
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_answers, gives_the_way


def _other_things(sight: Sight, made: Journey) -> bool:
    if made.cells is None:
        return gives_the_way(sight, made)
    return (sight.kind == "other" and sight.element != "") or (made.cells[1:] == () and sight.moves == ())


MODEL = Model(
    name="no-moves",
    exercises=SOLVERS,
    explains=by_answers(_other_things),
    hints={
        "en": (
            "Your solver finds the way, but the elements of the list that it returns are no moves. Of "
            "which class should each element be, and of which is it?"
        ),
        "nb": (
            "Løseren din finner veien, men elementene i listen den returnerer, er ikke trekk. Hvilken "
            "klasse skal hvert element ha, og hvilken har det?"
        ),
    },
)
