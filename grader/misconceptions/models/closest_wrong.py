"""Gives another pending cell than the closest one, or the wrong one of equals."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules


def _farthest(book: Book) -> int:
    return max(range(len(book.pending)), key=lambda at: (book.distances[book.pending[at]], -at))


def _last_of_the_farthest(book: Book) -> int:
    return max(range(len(book.pending)), key=lambda at: (book.distances[book.pending[at]], at))


def _latest(book: Book) -> int:
    return min(range(len(book.pending)), key=lambda at: (book.distances[book.pending[at]], -at))


def _by_position(book: Book) -> int:
    return min(range(len(book.pending)), key=lambda at: (book.distances[book.pending[at]], book.pending[at]))


MODEL = Model(
    name="closest-wrong",
    exercises=("search",),
    explains=by_rules(
        *(replace(RIGHT, closest=each) for each in (_farthest, _last_of_the_farthest, _latest, _by_position))
    ),
    hints={
        "en": (
            "closest_pending gives out the wrong cell. Go through your comparison with cells at the "
            "distances 2, 1, 1: which cell does it hold at the end, and which was found first?"
        ),
        "nb": (
            "closest_pending gir ut feil celle. Gå gjennom sammenligningen med celler i avstandene 2, "
            "1, 1: hvilken celle holder den til slutt, og hvilken ble funnet først?"
        ),
    },
)
