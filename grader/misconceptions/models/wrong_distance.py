"""Does not count the distance on from the cell that the move starts in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, Rules, by_rules, note
from lab import Vector


def _with(distance_of: Callable[[Book, Vector], int]) -> Rules:
    def changed(book: Book, start: Vector, move: Vector, end: Vector) -> None:
        distance = distance_of(book, start)
        if end not in book.distances:
            book.pending.append(end)
        if distance < book.distances.get(end, distance + 1):
            note(book, move, end, distance)

    return replace(RIGHT, record=changed)


MODEL = Model(
    name="wrong-distance",
    exercises=("search",),
    explains=by_rules(
        _with(lambda book, start: book.distances[start]),
        _with(lambda _book, _start: 1),
        _with(lambda _book, _start: 0),
        _with(lambda book, start: book.distances[start] + 2),
        _with(lambda book, _start: len(book.distances)),
    ),
    hints={
        "en": (
            "The distances that record writes down are not those of the ways. If a cell is three "
            "moves from the entry, how many moves away is a neighbour that is found from it?"
        ),
        "nb": (
            "Avstandene record skriver ned, er ikke veienes. Hvis en celle er tre trekk fra "
            "inngangen, hvor mange trekk unna er en nabo som blir funnet fra den?"
        ),
    },
)
