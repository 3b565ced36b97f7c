"""Makes a known cell pending again."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, record
from lab import Vector


def _where_shorter(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    if end in book.distances and book.distances[start] + 1 < book.distances[end]:
        book.pending.append(end)
    record(book, start, move, end)


def _always(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    if end in book.distances:
        book.pending.append(end)
    record(book, start, move, end)


def _where_visited(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    if end in book.distances and end not in book.pending:
        book.pending.append(end)
    record(book, start, move, end)


def _where_visited_and_shorter(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    shorter = end in book.distances and book.distances[start] + 1 < book.distances[end]
    if shorter and end not in book.pending:
        book.pending.append(end)
    record(book, start, move, end)


_RECORDS = (_where_shorter, _always, _where_visited, _where_visited_and_shorter)


MODEL = Model(
    name="pends-again",
    exercises=("search",),
    explains=by_rules(*(replace(RIGHT, record=each) for each in _RECORDS)),
    hints={
        "en": (
            "record makes a cell pending that it knew already. How often should a cell be pending in "
            "the whole search, and what would a solver do with one that comes up twice?"
        ),
        "nb": (
            "record gjør en celle den allerede kjente, ventende igjen. Hvor mange ganger skal en "
            "celle være ventende i hele søket, og hva ville en løser gjøre med en som dukker opp to "
            "ganger?"
        ),
    },
)
