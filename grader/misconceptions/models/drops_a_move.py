"""Loses the first or the last move of the way."""

from __future__ import annotations

from grader.misconceptions.exploring import Journey
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_answers, gives_the_way, steps


def _without_first(sight: Sight, made: Journey) -> bool:
    return gives_the_way(sight, made) if made.cells is None else sight.moves == steps(made.cells)[1:]


def _without_last(sight: Sight, made: Journey) -> bool:
    return gives_the_way(sight, made) if made.cells is None else sight.moves == steps(made.cells)[:-1]


MODEL = Model(
    name="drops-a-move",
    exercises=SOLVERS,
    explains=by_answers(_without_first, _without_last),
    hints={
        "en": (
            "The way that your solver returns is right but for one move that is missing at an end of "
            "it. Follow your code on a maze of two cells: how many moves should come back, and how "
            "many do?"
        ),
        "nb": (
            "Veien løseren din returnerer, er riktig, bortsett fra at ett trekk mangler i den ene "
            "enden. Følg koden din i en labyrint med to celler: hvor mange trekk skal komme tilbake, "
            "og hvor mange gjør det?"
        ),
    },
)
