"""Returns the way as something that is no list."""

from __future__ import annotations

from grader.misconceptions.exploring import Journey
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_answers, gives_the_way

_NO_CONTAINERS = ("other", "int", "vector")


def _no_list(sight: Sight, made: Journey) -> bool:
    if made.cells is None and sight.kind == "none":
        return True
    return (sight.kind in _NO_CONTAINERS and not sight.element) or sight.container != "list"


def _also_where_there_is_no_way(sight: Sight, made: Journey) -> bool:
    return _no_list(sight, made) if made.cells is not None else gives_the_way(sight, made)


MODEL = Model(
    name="no-list",
    exercises=SOLVERS,
    explains=by_answers(_no_list, _also_where_there_is_no_way),
    hints={
        "en": (
            "Your solver returns something that is no list of moves. Of which type is it, and can the "
            "caller ask it for its length, or go through it twice?"
        ),
        "nb": (
            "Løseren din returnerer noe som ikke er en liste med trekk. Hvilken type er det, og kan "
            "den som kaller, spørre om lengden eller gå gjennom det to ganger?"
        ),
    },
)
