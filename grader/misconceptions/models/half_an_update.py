"""Takes over only the distance, or only the move, of a shorter way."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, record
from lab import Vector


def _distance_only(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    kept = book.moves.get(end, move)
    record(book, start, move, end)
    book.moves[end] = kept


def _move_only(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    kept = book.distances.get(end, book.distances[start] + 1)
    record(book, start, move, end)
    book.distances[end] = kept


MODEL = Model(
    name="half-an-update",
    exercises=("search",),
    explains=by_rules(replace(RIGHT, record=_distance_only), replace(RIGHT, record=_move_only)),
    hints={
        "en": (
            "When a shorter way turns up, record changes only one of the two things that it knows "
            "about the cell. Which two are they, and do both fit together afterwards?"
        ),
        "nb": (
            "Når en kortere vei dukker opp, endrer record bare den ene av de to tingene den vet om "
            "cellen. Hvilke to er det, og passer de sammen etterpå?"
        ),
    },
)
