"""Replaces the way to a known cell by one that is just as long."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, note
from lab import Vector


def _record(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    distance = book.distances[start] + 1
    if end not in book.distances:
        book.pending.append(end)
    if distance <= book.distances.get(end, distance):
        note(book, move, end, distance)


MODEL = Model(
    name="relaxes-on-a-tie",
    exercises=("search",),
    explains=by_rules(replace(RIGHT, record=_record)),
    hints={
        "en": (
            "record replaces the way to a cell by another one of the same length. Is a way that is "
            "just as long a shorter one? Look at the sign between the two numbers."
        ),
        "nb": (
            "record bytter ut veien til en celle med en annen av samme lengde. Er en vei som er like "
            "lang, kortere? Se på tegnet mellom de to tallene."
        ),
    },
)
