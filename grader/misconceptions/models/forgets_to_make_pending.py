"""Notes a new cell, but does not make it pending."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, record
from lab import Vector


def _record(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    before = book.pending[:]
    record(book, start, move, end)
    book.pending[:] = before


MODEL = Model(
    name="forgets-to-make-pending",
    exercises=("search",),
    explains=by_rules(replace(RIGHT, record=_record)),
    hints={
        "en": (
            "record notes how a new cell was reached, but the cell never becomes pending. Who will "
            "ever go on from it?"
        ),
        "nb": (
            "record noterer hvordan en ny celle ble nådd, men cellen blir aldri ventende. Hvem skal "
            "noen gang gå videre fra den?"
        ),
    },
)
