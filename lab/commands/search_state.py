"""Inspects what a student's Search stores, to explain a wrong answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from copy import copy
from inspect import getattr_static
from typing import Any

from lab.vector import MOVES, Vector
from lab.way import cell_text, describe

_EMPTY: dict[type, str] = {dict: "{}", list: "[]", set: "set()", deque: "deque()"}


def wrong_move(
    search: Any, recorded: Mapping[Vector, Sequence[Vector]], cell: Vector, expected: Sequence[Vector]
) -> str:
    """Say which stored move is wrong, if the right one would make ``moves_to(cell)`` as expected; else "".

    ``recorded`` has the moves that were recorded to each cell. Only cells with one move are considered, since
    of several only ``record`` knows which to keep.
    """
    try:
        kept = search._moves
        wrong = {end: moves[0] for end, moves in recorded.items() if len(moves) == 1}
        wrong = {end: move for end, move in wrong.items() if kept.get(end) != move}
        mended = copy(search)
        mended._moves = {**kept, **wrong}
        if not wrong or list(mended.moves_to(cell)) != list(expected):
            return ""
    except Exception:  # noqa: BLE001 - a student's Search may keep anything, anywhere
        return ""
    end, move = next(iter(wrong.items()))
    what = _told(kept[end], end, move) if end in kept else "nothing"
    return f"record has kept {what} for {cell_text(end)}: moves_to looks there for the move, {move.name}."


def _told(found: object, end: Vector, move: Vector) -> str:
    if found == end + move.opposite():
        return f"{cell_text(end + move.opposite())}, the cell before,"
    if found == end:
        return f"{cell_text(end)}, the cell itself,"
    return next((each.name for each in MOVES if each == found), describe(found))


class Shared:
    """The attributes that two searches share before anything is recorded."""

    def __init__(self, first: object, second: Any) -> None:
        self._search = second
        own = {name: getattr_static(second, name) for name in dir(second) if not name.startswith("__")}
        self._before = {
            name: copy(value)
            for name, value in own.items()
            if type(value) in _EMPTY and getattr_static(first, name, None) is value
        }

    def told(self, start: Vector) -> str:
        """Say what has changed in both searches since then, if unshared it would work; else ""."""
        changed = [name for name, before in self._before.items() if getattr(self._search, name) != before]
        if not changed or not self._works_alone(changed, start):
            return ""
        *others, first = changed
        which = f"{', '.join(others)} and {first}" if others else first
        where = "in a default value, or outside of the class"
        if first not in vars(self._search):
            where = "in the class, outside of __init__"
        empty = _EMPTY[type(self._before[first])]
        return (
            f"Both searches share {which}, made once, {where}: "
            f"made in __init__, as self.{first} = {empty}, each search has its own."
        )

    def _works_alone(self, names: Sequence[str], start: Vector) -> bool:
        """Tell whether a search with attributes of its own knows and returns just this cell."""
        try:
            alone = type(self._search)()
            for name in names:
                setattr(alone, name, type(self._before[name])())
            alone.mark_as_pending(start)
            known, taken = [*alone.known_cells], alone.first_pending()
            return known == [start] == [taken] and not alone.has_pending_cells()
        except Exception:  # noqa: BLE001 - a student's Search may refuse anything
            return False
