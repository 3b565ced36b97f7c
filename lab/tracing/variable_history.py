"""The history of one variable of a student's code: the cells that it holds, in order, or the parents of
cells.

Whether a variable is the queue, the stack or the parents is not guessed from its name: how cells leave it
tells what it is; parents are a tree that grows from the entry.
"""

from __future__ import annotations

from collections import deque
from operator import is_
from typing import Any, NamedTuple

from lab.tracing.cells import Cell, CellNumbering

MOST_ITEMS = 2_000
"""A variable with more than 2,000 items is no longer recorded, since no page could show it."""


class Change(NamedTuple):
    """At a moment, ``left`` cells from ``start`` on were replaced by the cells in ``came``."""

    moment: int
    start: int
    left: int
    came: tuple[Cell, ...]


class ContainerHistory:
    """The cells in a list, a deque, a set or the keys of a dict."""

    def __init__(self, name: str, cells: CellNumbering, kind: type) -> None:
        self.name = name
        self.kind = kind
        self.changes: list[Change] = []
        self.is_lost = False
        """Whether it held anything but cells."""
        self.until: int | None = None
        """The moment from which on it held too many of them."""
        self.fronts = self.backs = self.others = self.lasts = 0
        """How often a cell left the front, the back, another place or with others, or as the last one."""
        self.came_front = self.came_other = 0
        self._cells = cells
        self._held: list[object] = []
        self._now: list[Cell] = []
        self._is_fixed = True

    @property
    def leavings(self) -> int:
        """The number of times that a cell left."""
        return self.fronts + self.backs + self.others + self.lasts

    def look(self, container: Any, moment: int, *, is_other: bool = False) -> None:
        """Record the current content; ``is_other`` if the variable refers to another container than
        before."""
        if self.is_lost or self.until is not None:
            return
        if len(container) > MOST_ITEMS:
            self.until = moment
            return
        held, before = list(container), self._held
        if self._is_fixed and len(held) == len(before) and all(map(is_, held, before)):
            return
        now = self._read(held)
        if now is None:
            self.is_lost = True
            self.changes, self._held, self._now = [], [], []
            return
        self._held = held
        if now != self._now:
            lasts = self.lasts
            self._compare(now, moment)
            self._now = now
            self.lasts = lasts if is_other else self.lasts  # nothing left: it began anew

    def _read(self, held: list[object]) -> list[Cell] | None:
        """Return the cells of the content; None if it holds anything else. Immutable items are read once."""
        before = self._held
        grew = self._is_fixed and len(held) >= len(before) and all(map(is_, before, held))
        added, known = (held[len(before) :], self._now) if grew and self.kind is not set else (held, [])
        read = [self._cells.of(item) for item in added]
        self._is_fixed = self._is_fixed and all(isinstance(item, tuple) for item in added)
        found = [cell for cell in read if cell is not None]
        if len(found) < len(read):
            return None
        if self.kind is set:
            return sorted(found, key=lambda cell: (isinstance(cell, str), cell))
        return known + found

    def _compare(self, now: list[Cell], moment: int) -> None:
        old = self._now
        most = len(old) - 1
        if most > 0 and now[:most] == old[1:] and now[:most] != old[:-1] and now[: most + 1] != old:
            self._note(Change(moment, 0, 1, ()), len(old))
            old = old[1:]
        start, most = 0, min(len(old), len(now))
        while start < most and old[start] == now[start]:
            start += 1
        end = 0
        while end < most - start and old[-1 - end] == now[-1 - end]:
            end += 1
        left, came = len(old) - start - end, tuple(now[start : len(now) - end])
        if left or came:
            self._note(Change(moment, start, left, came), len(old))

    def _note(self, change: Change, length: int) -> None:
        """Record a change of a container of this length, and count where cells left and came."""
        self.changes.append(change)
        rest = length - change.left
        if change.left == 1 and change.start == 0:
            self.fronts += rest > 0
            self.lasts += not rest and not change.came
        elif change.left == 1 and change.start == rest:
            self.backs += 1
        elif change.left and rest:
            self.others += 1
        if change.came and rest:
            self.came_front += change.start == 0
            self.came_other += 0 < change.start < rest


class ParentsHistory:
    """The parents of cells, in a dict from each cell to the cell or the move before it."""

    def __init__(self, name: str, cells: CellNumbering) -> None:
        self.name = name
        self.changes: list[tuple[int, int, int]] = []
        """At a moment, a cell and the one that it was found from."""
        self.is_lost = False
        self._cells = cells
        self._keys: list[object] = []
        self._values: list[object] = []
        self._known: set[int] = {cells.entry}

    def look(self, container: dict[Any, Any], moment: int) -> None:
        """Record the current content."""
        if self.is_lost:
            return
        keys, values = list(container), list(container.values())
        old = len(self._keys)
        if not old <= len(keys) <= MOST_ITEMS or not all(map(is_, self._keys, keys)):
            self._lose()
        elif len(keys) > old or not all(map(is_, self._values, values)):
            for place, (key, value) in enumerate(zip(keys, values, strict=True)):
                if place >= old or value is not self._values[place]:
                    self._take(key, value, moment)
            self._keys, self._values = keys, values

    def _take(self, key: object, value: object, moment: int) -> None:
        cell = self._cells.plain(key)
        parent = self._cells.parent(cell, value) if isinstance(cell, int) else None
        if parent is None or not isinstance(cell, int) or (parent not in self._known and parent != cell):
            self._lose()
        else:
            self._known.add(cell)
            self.changes.append((moment, cell, parent))

    def _lose(self) -> None:
        self.is_lost = True
        self.changes = []


SEQUENCES: tuple[type, ...] = (list, deque, set, dict)
"""What may hold cells that wait."""
