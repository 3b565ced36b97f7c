"""A Search that stays outside: what a solver asks of it goes over the wire, and the grader answers.

Theory of operation. A solver that is right shall not be judged by a Search that is wrong, and the right
one may not enter the box. So a stand-in passes every call on. What returns nothing (``mark_as_pending``,
``record``) waits until something is asked, and goes with that; a cell that is taken brings along whether
others are left, and so one way there and back is enough for a visited cell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lab.vector import Vector
from lab.watch import Watch, watched_searches

from .values import class_name, pair

MOST_WAITING: Final = 1_000
"""Calls that wait for a question at the most, before they are sent by themselves."""

Steps = list[list[Any]]
Ask = Callable[[int, Steps], dict[str, Any]]
"""Sends the calls of a numbered search to the grader, and returns what the last of them gave."""


class AskedSearch:
    """What a solver is handed in the place of the submission's own ``Search``."""

    def __init__(self, ask: Ask, number: int) -> None:
        self.__ask, self.__number = ask, number
        self.__waiting: Steps = []
        self.__left: bool | None = False
        """Whether a cell is pending; None where only the grader knows."""

    def mark_as_pending(self, position: Vector) -> None:
        """Make a cell known and pending."""
        self.__wait("mark_as_pending", position)
        self.__left = True

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        """Note that a move leads from a known cell to another."""
        self.__wait("record", start, move, end)
        self.__left = self.__left or None

    def has_pending_cells(self) -> bool:
        """Tell whether a cell is pending."""
        if self.__left is None:
            self.__left = bool(self.__get("has_pending_cells"))
        return self.__left

    def first_pending(self) -> Vector:
        """Take the pending cell that was found first (LookupError when nothing is pending)."""
        return Vector(*self.__get("first_pending"))

    def last_pending(self) -> Vector:
        """Take the pending cell that was found last (LookupError when nothing is pending)."""
        return Vector(*self.__get("last_pending"))

    def closest_pending(self) -> Vector:
        """Take the pending cell with the least distance (LookupError when nothing is pending)."""
        return Vector(*self.__get("closest_pending"))

    def distance_to(self, position: Vector) -> int:
        """Return the number of moves on the way to a cell (LookupError for an unknown cell)."""
        return int(self.__get("distance_to", position))

    def moves_to(self, position: Vector) -> list[Vector]:
        """Return the moves that lead to a cell, in order (LookupError for an unknown cell)."""
        return [Vector(*move) for move in self.__get("moves_to", position)]

    @property
    def known_cells(self) -> tuple[Vector, ...]:
        """All known cells, in the order they were found."""
        return tuple(Vector(*cell) for cell in self.__get("known_cells"))

    def __wait(self, method: str, *positions: object) -> None:
        self.__waiting.append([method, [_pair(method, position) for position in positions]])
        if len(self.__waiting) >= MOST_WAITING:
            self.__get("has_pending_cells")

    def __get(self, method: str, *positions: object) -> Any:
        step = [method, [_pair(method, position) for position in positions]]
        steps, self.__waiting = [*self.__waiting, step], []
        answer = self.__ask(self.__number, steps)
        self.__left = answer["left"]
        if "lookup" in answer:
            raise LookupError(answer["lookup"])
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]


def asked_searches(ask: Ask) -> Callable[[Watch], Any]:
    """Return what makes new searches that the grader answers."""
    count = 0
    new = watched_searches(AskedSearch)

    def new_search(watch: Watch) -> Any:
        nonlocal count
        count += 1
        return new(watch, ask, count)

    return new_search


def _pair(method: str, position: object) -> list[int]:
    numbers = pair(position)
    if numbers is None:
        raise TypeError(f"{method}: expected a position or a move, got {class_name(position)}")
    return numbers
