"""Gives out pending cells from the wrong end, or puts new ones at the wrong end."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, first, last, record
from lab import Vector


def _in_front(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    new = end not in book.distances
    record(book, start, move, end)
    if new:
        book.pending.insert(0, book.pending.pop())


MODEL = Model(
    name="ends-swapped",
    exercises=("search",),
    explains=by_rules(
        replace(RIGHT, first=last, last=first),
        replace(RIGHT, first=last),
        replace(RIGHT, last=first),
        replace(RIGHT, record=_in_front),
    ),
    hints={
        "en": (
            "The pending cells come out of the wrong end. After three cells were found one after the "
            "other, which should first_pending give, which last_pending, and where do you put a new "
            "one?"
        ),
        "nb": (
            "De ventende cellene kommer ut av feil ende. Etter at tre celler er funnet, hvilken skal "
            "first_pending gi, hvilken last_pending, og hvor legger du en ny?"
        ),
    },
)
