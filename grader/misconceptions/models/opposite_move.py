"""Keeps the move that leads back instead of the one that leads there."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, record
from lab import Vector


def _record(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    record(book, start, move.opposite(), end)


MODEL = Model(
    name="opposite-move",
    exercises=("search",),
    explains=by_rules(replace(RIGHT, record=_record)),
    hints={
        "en": (
            "record keeps the move that leads back. moves_to is to give the moves from the entry to "
            "the cell: which of the two directions has to be kept for that?"
        ),
        "nb": (
            "record beholder trekket som fører tilbake. moves_to skal gi trekkene fra inngangen til "
            "cellen: hvilken av de to retningene må da beholdes?"
        ),
    },
)
