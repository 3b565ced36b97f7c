"""Replaces the way to a known cell even by a longer one."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, note
from lab import Vector


def _record(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    if end not in book.distances:
        book.pending.append(end)
    note(book, move, end, book.distances[start] + 1)


def _where_longer(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    distance = book.distances[start] + 1
    if end not in book.distances:
        book.pending.append(end)
    if end not in book.distances or distance > book.distances[end]:
        note(book, move, end, distance)


MODEL = Model(
    name="always-updates",
    exercises=("search",),
    explains=by_rules(replace(RIGHT, record=_record), replace(RIGHT, record=_where_longer)),
    hints={
        "en": (
            "record replaces what it knows about a cell even when the new way to it is longer. Which "
            "two numbers have to be compared before anything is changed?"
        ),
        "nb": (
            "record bytter ut det den vet om en celle, selv når den nye veien dit er lengre. Hvilke "
            "to tall må sammenlignes før noe endres?"
        ),
    },
)
