"""What a Search answered to scripts of calls, and a Search of functions to compare it with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.misconceptions.model import Explains, Pair
from lab import Vector

Step = tuple[int, str, tuple[Vector, ...]]
Given = Any
"""What a step gave: ("lookup",) for a LookupError, else the kind and the value."""


@dataclass(slots=True)
class Book:
    """The cells of a Search at work."""

    pending: list[Vector] = field(default_factory=list)
    distances: dict[Vector, int] = field(default_factory=dict)
    moves: dict[Vector, Vector | None] = field(default_factory=dict)


Record = Callable[[Book, Vector, Vector, Vector], None]
Pick = Callable[[Book], int]
"""The index of the pending cell to take."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a Search works."""

    record: Record
    first: Pick
    last: Pick
    closest: Pick
    way: Callable[[Book, Vector], list[Vector]]


def record(book: Book, start: Vector, move: Vector, end: Vector) -> None:
    """A new cell becomes pending; a known one changes where the new way is shorter."""
    distance = book.distances[start] + 1
    if end not in book.distances:
        book.pending.append(end)
    if distance < book.distances.get(end, distance + 1):
        note(book, move, end, distance)


def note(book: Book, move: Vector, end: Vector, distance: int) -> None:
    """Write down how a cell is reached."""
    book.distances[end], book.moves[end] = distance, move


def first(_book: Book) -> int:
    """The cell found first."""
    return 0


def last(book: Book) -> int:
    """The cell found last."""
    return len(book.pending) - 1


def closest(book: Book) -> int:
    """The cell closest to the start, the earliest found among equals."""
    return min(range(len(book.pending)), key=lambda at: (book.distances[book.pending[at]], at))


def way(book: Book, cell: Vector) -> list[Vector]:
    """The moves from the start, found by walking back."""
    moves: list[Vector] = []
    seen = {cell}
    while (move := book.moves[cell]) is not None:
        moves.append(move)
        cell = cell + move.opposite()
        if cell in seen:
            raise RecursionError("the way back goes in circles")
        seen.add(cell)
    return moves[::-1]


RIGHT = Rules(record, first, last, closest, way)


@dataclass(frozen=True, slots=True)
class Sight:
    """A script, and what its steps gave, as far as it went."""

    steps: tuple[Step, ...]
    gave: tuple[Given, ...]
    ended: bool
    """Every step gave something."""
    told: bool
    """It is known what the steps before the end gave."""


def sights_of(pairs: Sequence[Pair]) -> list[Sight]:
    """The scripts of all calls."""
    return [_sight(pair) for pair in pairs]


def _sight(pair: Pair) -> Sight:
    call, claim = pair
    steps = tuple(
        (instance, method, tuple(Vector(*v) for v in vectors))
        for instance, method, vectors in call.arguments["steps"]
    )
    told = isinstance(claim.value, Mapping)
    gave = claim.value.get("steps", []) if told else []
    return Sight(steps, tuple(map(_given, gave)), claim.outcome == "returned", told)


def _given(step: Mapping[str, Any]) -> Given:
    if "returned" not in step:
        return ("lookup",)
    returned = step["returned"]
    value = returned.get("value", returned.get("text"))
    if returned["type"] == "vectors":
        value = tuple(Vector(*v) for v in value)
    return (returned["type"], tuple(value) if isinstance(value, list) else value)


def is_right(_exercise: str, sight: Sight) -> bool:
    """Every step gave what it should."""
    return explains_script(RIGHT, sight, shared=False)


def by_rules(*rules: Rules, shared: bool = False) -> Explains:
    """The model of a Search that works by one of these rules; ``shared``: all are one."""

    def explains(_exercise: str, sights: Sequence[Sight]) -> bool:
        return any(all(explains_script(each, sight, shared=shared) for sight in sights) for each in rules)

    return explains


def explains_script(rules: Rules, sight: Sight, *, shared: bool) -> bool:
    """A Search by these rules would have given just this."""
    books: dict[int, Book] = {}
    for at, (instance, method, vectors) in enumerate(sight.steps):
        book = books.setdefault(0 if shared else instance, Book())
        try:
            given = _call(rules, book, method, vectors)
        except RecursionError:
            return not sight.ended and (at == len(sight.gave) or not sight.told)
        if sight.told and (at >= len(sight.gave) or given != sight.gave[at]):
            return False
    return sight.ended


def _call(rules: Rules, book: Book, method: str, vectors: tuple[Vector, ...]) -> Given:
    try:
        return _METHODS[method](rules, book, *vectors)
    except (KeyError, ValueError):
        return ("lookup",)


def _mark(_rules: Rules, book: Book, cell: Vector) -> Given:
    book.distances[cell], book.moves[cell] = 0, None
    book.pending.append(cell)
    return ("none", None)


def _record(rules: Rules, book: Book, start: Vector, move: Vector, end: Vector) -> Given:
    rules.record(book, start, move, end)
    return ("none", None)


def _taker(name: str) -> Callable[[Rules, Book], Given]:
    def take(rules: Rules, book: Book) -> Given:
        if not book.pending:
            return ("lookup",)
        pick: Pick = getattr(rules, name)
        return ("vector", tuple(book.pending.pop(pick(book))))

    return take


_METHODS: dict[str, Callable[..., Given]] = {
    "mark_as_pending": _mark,
    "record": _record,
    "first_pending": _taker("first"),
    "last_pending": _taker("last"),
    "closest_pending": _taker("closest"),
    "has_pending_cells": lambda _rules, book: ("bool", bool(book.pending)),
    "distance_to": lambda _rules, book, cell: ("int", book.distances[cell]),
    "moves_to": lambda rules, book, cell: ("vectors", tuple(rules.way(book, cell))),
    "known_cells": lambda _rules, book: ("vectors", tuple(book.distances)),
}
