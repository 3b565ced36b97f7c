"""Explores West first: what was put on a stack last comes off it first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.misconceptions.exploring import Style, explored_as, right_styles
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, by_styles
from lab import MOVES


def _styles(exercise: str) -> Iterator[Style]:
    ends = explored_as(exercise, MOVES[::-1])
    return (replace(style, ends=ends) for style in right_styles(exercise))


MODEL = Model(
    name="west-first",
    exercises=SOLVERS,
    explains=by_styles(_styles),
    hints={
        "en": (
            "It looks as if your solver goes West, South, East, North: the prescribed order turned "
            "round. Put the four neighbours of a cell where you keep them, and take one out again: "
            "which of the four do you hold in your hand?"
        ),
        "nb": (
            "Det ser ut som om løseren din går vest, sør, øst, nord: den foreskrevne rekkefølgen "
            "snudd. Legg de fire naboene til en celle dit du har dem, og ta én ut igjen: hvilken av "
            "de fire holder du da i hånden?"
        ),
    },
)
