"""The Search that stays outside: it answers a solver whose own is wrong (``inside/asked_search.py``).

All that the solver learns is what any right Search would have told it.

What a call may ask is bounded by counting: its steps, the steps of a question, and the cells that are
looked through for an answer. That work is done outside of the box, where no limit of the box ends it, and one
question may ask for a long way again and again. A solver that goes beyond is endless, on every machine alike;
only a box that lies sends a question that is too long by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nsmallest
from typing import Final

from grader.errors import ProtocolError, QuestionsSpent
from grader.session.connection import MAX_STEPS
from lab import Vector
from reference.solvers.search import Search

STEPS: Final = 100_000
"""The calls of a search that one solver's run may make at the most: 28 for each cell of 60 x 60."""
LOOKS: Final = (100_000, 4_000, 4)
"""The cells that may be looked through: these numbers times 1, the size and its square. A right solver that
asks for all known cells at each side of each cell looks at twice the square."""
_FURTHEST: Final = 2**20
"""No row or column of a maze lies beyond."""
_ARGUMENTS: Final = {
    "mark_as_pending": 1,
    "record": 3,
    "has_pending_cells": 0,
    "distance_to": 1,
    "moves_to": 1,
    "first_pending": 0,
    "last_pending": 0,
    "closest_pending": 0,
    "known_cells": 0,
}
"""How many positions each method takes."""
_LOOKS_THROUGH: Final = frozenset({"mark_as_pending", "closest_pending", "moves_to", "known_cells"})
"""The methods that may look at every cell that is known."""


TAKES: Final = ("first_pending", "last_pending", "closest_pending")
"""The methods that take a pending cell."""
SIDES: Final = 4
"""A cell leads to four others at the most."""


AHEAD: Final = 64
"""Of the cells that will be taken next, 64 are told at the most."""


class _Search(Search):
    """The right one, which tells how many cells it holds, and which are taken next."""

    taken_by = ""
    """The method by which a cell was taken last."""

    def __len__(self) -> int:
        return len(self._distances)

    def next_taken(self) -> dict[str, object]:
        """Return which cell each method would take now: where the first is the last, it is the only one.

        Nothing is told where none is pending, or more than the sides of a cell: to look through them would
        have to be counted.
        """
        if not 0 < len(self._pending) <= SIDES:
            return {}
        closest = min(self._pending, key=self._distances.__getitem__)
        cells = (self._pending[0], self._pending[-1], closest)
        return {"next": dict(zip(TAKES, cells, strict=True))}

    def told_ahead(self, method: str, value: object) -> dict[str, object]:
        """Return which cells come next for who takes them by the method that took the last one; the closest
        ones, and the one that was just taken, with their distances."""
        if not self._pending:
            return {}
        if self.taken_by == "first_pending":
            return {"first": self._pending[:AHEAD]}
        if self.taken_by != "closest_pending":
            return {}
        of = self._distances.__getitem__
        told: dict[str, object] = {
            "closest": [(each, of(each)) for each in nsmallest(AHEAD, self._pending, of)]
        }
        if method == self.taken_by and isinstance(value, Vector):
            told["taken"] = [(value, of(value))]
        return told


class SearchAnswers:
    """The searches of one call of a solver."""

    def __init__(self, size: int) -> None:
        """Begin a call; ``size`` is the number of cells of the mazes that are solved in it."""
        self._searches: dict[int, _Search] = {}
        self._steps = 0
        self._looks_left = sum(factor * size**power for power, factor in enumerate(LOOKS))

    def answer(self, question: Mapping[str, object]) -> dict[str, object]:
        """Do the steps of a question, and return what the last of them gave.

        Raises ProtocolError, and QuestionsSpent where the call has asked for more than it may.
        """
        number, steps = question.get("search"), question.get("steps")
        if type(number) is not int or type(steps) is not list or not 0 < len(steps) <= MAX_STEPS:
            raise ProtocolError("a question to the search is not as the protocol has it")
        search = self._searches.setdefault(number, _Search())
        given: dict[str, object] = {}
        for step in steps:
            method, positions = _read(step)
            self._count(search, method)
            given = _given(search, method, positions)
            if "value" not in given:
                break
            search.taken_by = method if method in TAKES else search.taken_by
        ahead: dict[str, object] = {}
        if method in TAKES or method == "has_pending_cells":
            ahead = search.told_ahead(method, given.get("value"))
            self._looks_left -= len(search) if "closest" in ahead else 0
        if "value" in given:
            given = {"value": _plain(given["value"])}
        known = search.next_taken() if method == "has_pending_cells" else {}
        return {**given, "left": search.has_pending_cells(), **known, **ahead}

    def _count(self, search: _Search, method: str) -> None:
        """Count a step before it is done. Raises QuestionsSpent."""
        self._steps += 1
        if method in _LOOKS_THROUGH:
            self._looks_left -= len(search)
        if self._steps > STEPS or self._looks_left < 0:
            raise QuestionsSpent(self._steps)


def _read(step: object) -> tuple[str, list[Vector]]:
    """Read a step as a method and its positions. Raises ProtocolError."""
    if type(step) is not list or len(step) != 2 or type(step[1]) is not list:
        raise ProtocolError("a step of a question is not as the protocol has it")
    method, positions = step
    if type(method) is not str or _ARGUMENTS.get(method) != len(positions):
        raise ProtocolError(
            f"there is no call {str(method)[:40]!r} of a search with {len(positions)} positions"
        )
    return method, [_position(position) for position in positions]


def _position(position: object) -> Vector:
    if type(position) is not list or len(position) != 2:
        raise ProtocolError("a position in a question is no pair")
    for number in position:
        if type(number) is not int or not -_FURTHEST < number < _FURTHEST:
            raise ProtocolError("a position in a question lies in no maze")
    return Vector(*position)


def _given(search: Search, method: str, positions: list[Vector]) -> dict[str, object]:
    try:
        member = getattr(search, method)
        value = member if method == "known_cells" else member(*positions)
    except LookupError as error:
        return {"lookup": str(error.args[0]) if error.args else ""}
    except RuntimeError as error:
        return {"error": str(error)}
    return {"value": value}


def _plain(value: object) -> object:
    """Return the value as JSON can express it: a Vector as a pair, several as a list of pairs."""
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
