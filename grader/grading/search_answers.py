"""The Search that stays outside: it answers a solver whose own is wrong (``inside/asked_search.py``).

All that the solver learns is what any right Search would have told it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grader.errors import ProtocolError
from lab import Vector
from reference.solvers.search import Search

STEPS: Final = 100_000
"""The calls of a search that one solver's run may make at the most: 28 for each cell of 60 x 60."""
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


class SearchAnswers:
    """The searches of one call of a solver."""

    def __init__(self) -> None:
        self._searches: dict[int, Search] = {}
        self._steps = 0

    def answer(self, question: Mapping[str, object]) -> dict[str, object]:
        """Do the steps of a question, and return what the last of them gave. Raises ProtocolError."""
        number, steps = question.get("search"), question.get("steps")
        if type(number) is not int or type(steps) is not list or not steps:
            raise ProtocolError("a question to the search is not as the protocol has it")
        self._steps += len(steps)
        if self._steps > STEPS:
            raise ProtocolError(f"a solver made more than {STEPS} calls of its search")
        search = self._searches.setdefault(number, Search())
        given: dict[str, object] = {}
        for step in steps:
            given = _given(search, *_read(step))
            if "value" not in given:
                break
        return {**given, "left": search.has_pending_cells()}


def _read(step: object) -> tuple[str, list[Vector]]:
    """A step as a method and its positions."""
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
    return {"value": _plain(value)}


def _plain(value: object) -> object:
    """What JSON can say: a Vector as a pair, several as a list of pairs."""
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value
