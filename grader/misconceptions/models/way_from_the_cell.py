"""Gives the moves to a cell in the order of the way back."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, way
from lab import Vector


def _way(book: Book, cell: Vector) -> list[Vector]:
    return way(book, cell)[::-1]


MODEL = Model(
    name="way-from-the-cell",
    exercises=("search",),
    explains=by_rules(replace(RIGHT, way=_way)),
    hints={
        "en": (
            "moves_to gives the right moves, the last one first. You find them by walking back from "
            "the cell: which of them should stand first?"
        ),
        "nb": (
            "moves_to gir de riktige trekkene, det siste først. Du finner dem ved å gå tilbake fra "
            "cellen: hvilket skal stå først?"
        ),
    },
)
