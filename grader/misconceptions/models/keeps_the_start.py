"""Keeps the cell that was left where the move is asked for."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, record
from lab import Vector


def _record(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    record(book, start, move, end)
    if book.moves[end] == move:
        book.moves[end] = start


MODEL = Model(
    name="keeps-the-start",
    exercises=("search",),
    explains=by_rules(replace(RIGHT, record=_record)),
    hints={
        "en": (
            "record keeps a cell where a move is needed. moves_to gives moves: which of the three "
            "arguments of record is one?"
        ),
        "nb": (
            "record beholder en celle der det trengs et trekk. moves_to gir trekk: hvilket av de tre "
            "argumentene til record er et trekk?"
        ),
    },
)
