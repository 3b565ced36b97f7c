"""Explores in some other fixed order than North, East, South, West."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from grader.misconceptions.exploring import Style, explored_as, right_styles
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, by_styles
from lab import MOVES

_OTHERS = [moves for moves in permutations(MOVES) if moves not in (MOVES, MOVES[::-1])]


def _styles(exercise: str) -> Iterator[Style]:
    for moves in _OTHERS:
        for style in right_styles(exercise):
            yield replace(style, ends=explored_as(exercise, moves))


MODEL = Model(
    name="another-order",
    exercises=SOLVERS,
    explains=by_styles(_styles),
    hints={
        "en": (
            "Your solver tries the four directions in a fixed order, but in another one than North, "
            "East, South, West. From which list do the moves come that you go through, and in which "
            "order do they stand there?"
        ),
        "nb": (
            "Løseren din prøver de fire retningene i en fast rekkefølge, men en annen enn nord, øst, "
            "sør, vest. Hvilken liste kommer trekkene du går gjennom fra, og i hvilken rekkefølge "
            "står de der?"
        ),
    },
)
