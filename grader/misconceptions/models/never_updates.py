"""Keeps the first way to a cell when a shorter one turns up."""

from __future__ import annotations

from dataclasses import replace

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, Book, by_rules, note
from lab import Vector


def _record(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    if end not in book.distances:
        book.pending.append(end)
        note(book, move, end, book.distances[start] + 1)


MODEL = Model(
    name="never-updates",
    exercises=("search",),
    explains=by_rules(replace(RIGHT, record=_record)),
    hints={
        "en": (
            "record keeps the first way to a cell, whatever comes later. What should happen when it "
            "meets a known cell again, and the new way is shorter?"
        ),
        "nb": (
            "record beholder den første veien til en celle, uansett hva som kommer senere. Hva skal "
            "skje når den møter en kjent celle igjen og den nye veien er kortere?"
        ),
    },
)
