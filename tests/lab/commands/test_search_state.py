"""What a Search has kept is told where it explains a wrong answer, and only there."""

from __future__ import annotations

from collections import deque
from typing import Any, ClassVar

import pytest

from lab.commands.search_state import Shared, wrong_move
from lab.vector import EAST, NORTH, Vector
from reference.solvers.search import Search

START = Vector(2, 2)
ABOVE, CORNER = Vector(1, 2), Vector(1, 3)


class KeepsStart(Search):
    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        super().record(start, start, end)


class KeepsEnd(Search):
    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        super().record(start, end, end)


class KeepsTheWayBack(Search):
    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        super().record(start, move.opposite(), end)


class KeepsAName(Search):
    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        super().record(start, move.name, end)  # type: ignore[arg-type]


class KeepsNothing(Search):
    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        super().record(start, move, end)
        del self._moves[end]


class KeepsTheCellBefore(Search):
    """Right, by another layout."""

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        super().record(start, start, end)

    def moves_to(self, position: Vector) -> list[Vector]:
        cells = [position]
        while (before := self._moves[cells[-1]]) is not None:
            cells.append(before)
        pairs = zip(cells[-1:0:-1], cells[-2::-1], strict=True)
        return [here + Vector(-there.row, -there.column) for there, here in pairs]


class TurnsRound(KeepsTheCellBefore):
    """Wrong elsewhere: with moves in place of cells, it would not be right."""

    def moves_to(self, position: Vector) -> list[Vector]:
        return super().moves_to(position)[::-1]


class HasSlots:
    __slots__ = ("other",)

    def moves_to(self, position: Vector) -> list[Vector]:
        raise KeyError(position)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (KeepsStart, "record has kept (2, 2), the cell before, for (1, 2)"),
        (KeepsEnd, "record has kept (1, 2), the cell itself, for (1, 2)"),
        (KeepsTheWayBack, "record has kept south for (1, 2)"),
        (KeepsAName, "record has kept 'north' for (1, 2)"),
        (KeepsNothing, "record has kept nothing for (1, 2)"),
        (TurnsRound, None),
        (Search, None),
    ],
)
def test_what_is_kept_for_the_move_is_told(kind: type[Search], said: str | None) -> None:
    search = kind()
    search.mark_as_pending(START)
    search.record(START, NORTH, ABOVE)
    search.record(ABOVE, EAST, CORNER)
    told = wrong_move(search, {ABOVE: [NORTH], CORNER: [EAST]}, CORNER, [NORTH, EAST])
    assert told == (f"{said}: moves_to looks there for the move, north." if said else "")


def test_cells_that_were_found_twice_are_for_record_to_decide() -> None:
    search = KeepsStart()
    search.mark_as_pending(START)
    search.record(START, NORTH, ABOVE)
    assert wrong_move(search, {ABOVE: [NORTH, EAST]}, ABOVE, [NORTH]) == ""


def test_a_search_of_another_making_is_left_alone() -> None:
    assert wrong_move(HasSlots(), {ABOVE: [NORTH]}, ABOVE, [NORTH]) == ""
    assert Shared(HasSlots(), HasSlots()).told(START) == ""


class OfTheClass(Search):
    _distances: ClassVar[dict[Vector, int]] = {}  # type: ignore[misc]

    def __init__(self) -> None:
        self._moves, self._pending = {}, []


class OfADefault(Search):
    def __init__(self, pending: list[Vector] = []) -> None:  # noqa: B006 - that is the mistake
        super().__init__()
        self._pending = pending


class AllOfTheClass(Search):
    _distances: ClassVar[dict[Vector, int]] = {}  # type: ignore[misc]
    _moves: ClassVar[dict[Vector, Vector | None]] = {}  # type: ignore[misc]
    _pending: ClassVar[Any] = deque()  # type: ignore[misc]

    def __init__(self) -> None:
        pass

    def first_pending(self) -> Vector:
        found: Vector = self._pending.popleft()
        return found


class CountsInTheClass(Search):
    """Shares a list that explains nothing: it knows too much all the same."""

    steps: ClassVar[list[Vector]] = []

    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        self.steps.append(end)

    @property
    def known_cells(self) -> tuple[Vector, ...]:
        return (START, ABOVE)


IN_THE_CLASS = ", made once, in the class, outside of __init__: made in __init__, as"
IN_A_DEFAULT = ", made once, in a default value, or outside of the class: made in __init__, as"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (OfTheClass, f"_distances{IN_THE_CLASS} self._distances = {{}},"),
        (OfADefault, f"_pending{IN_A_DEFAULT} self._pending = [],"),
        (AllOfTheClass, f"_distances, _moves and _pending{IN_THE_CLASS} self._pending = deque(),"),
        (CountsInTheClass, None),
        (Search, None),
    ],
)
def test_what_two_searches_share_is_told(kind: type[Search], said: str | None) -> None:
    first, second = kind(), kind()
    for search in (first, second):
        search.mark_as_pending(START)
    shared = Shared(first, second)
    first.record(START, NORTH, ABOVE)
    told = shared.told(START)
    assert told == (f"Both searches share {said} each search has its own." if said else "")
