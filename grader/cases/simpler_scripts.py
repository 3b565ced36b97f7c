"""The scripts that are left of a script when calls are taken out of it, or its cells moved to (1, 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple

from grader.cases.search_scripts import Script

Cell = tuple[int, int]

MOST = 150
"""At most 150 scripts are made of one."""


def simpler(steps: Script, wrong_at: int) -> list[Script]:
    """Scripts with fewer calls, and then the same calls closer to (1, 1); of the calls after the one that
    went wrong none is left. A right Search answers them all alike."""
    cut = steps[: wrong_at + 1]
    found = dict.fromkeys(islice(chain((cut,), map(moved, _fair(cut))), MOST))
    found.pop(steps, None)
    return sorted(found, key=len)


def _fair(steps: Script) -> Iterator[Script]:
    """The script, and what is left without some calls in a row, always with the last; as far as is fair."""
    if is_fair(steps):
        yield steps
    size, last = len(steps) // 2, len(steps) - 1
    while size:
        before = _Searches()
        for start in range(0, last, size):
            end = min(start + size, last)
            if before.copy().make(steps[end:]):
                yield steps[:start] + steps[end:]
            if not before.make(steps[start:end]):
                break
        size //= 2


def moved(steps: Script) -> Script:
    """The same calls as far north and west as can be."""
    cells = {cell for step in steps for cell in _cells(step)}
    if not cells:
        return steps
    north, west = min(row for row, _ in cells) - 1, min(column for _, column in cells) - 1
    if north == west == 0:
        return steps
    there = {(row, column): (row - north, column - west) for row, column in cells}

    def vectors(method: str, given: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        if method == "record":
            start, move, end = given
            return there[start], move, there[end]
        return tuple(there[cell] for cell in given)

    return tuple((instance, method, vectors(method, given)) for instance, method, given in steps)


def extent(steps: Script) -> int:
    """How far the script goes from (1, 1), in rows and columns."""
    cells = [cell for step in steps for cell in _cells(step)]
    return max((row + column for row, column in cells), default=0)


def _cells(step: tuple[int, str, tuple[tuple[int, int], ...]]) -> Sequence[tuple[int, int]]:
    """The cells that a call is given; the second of record is a move."""
    _, method, given = step
    return given[::2] if method == "record" else given


def is_fair(steps: Script) -> bool:
    """Whether the contract says what every call gives: only unknown cells are marked, moves go on from
    known cells, and a cell from which another one was found is not found by a shorter way."""
    return _Searches().make(steps)


class _Searches:
    """What each search of a script knows after some of its calls."""

    def __init__(self, known: Mapping[int, _Known] | None = None) -> None:
        self._known = dict(known or {})

    def copy(self) -> _Searches:
        """The same, to make other calls on."""
        return _Searches({instance: known.copy() for instance, known in self._known.items()})

    def make(self, steps: Script) -> bool:
        """Make the calls, as far as they are fair; tell whether all are."""
        for instance, method, given in steps:
            known = self._known.get(instance)
            if known is None:
                known = self._known[instance] = _Known({}, {}, {})
            if method == "mark_as_pending" and not known.may_mark(given[0]):
                return False
            if method == "record" and not known.may_record(given[0], given[2]):
                return False
        return True


class _Known(NamedTuple):
    """The cells that a search knows: how far each is, from which it was found, and how many from it."""

    distances: dict[Cell, int]
    origins: dict[Cell, Cell]
    found_from: dict[Cell, int]

    def copy(self) -> _Known:
        """The same, to find more cells in."""
        return _Known(self.distances.copy(), self.origins.copy(), self.found_from.copy())

    def may_mark(self, cell: Cell) -> bool:
        """Mark a cell, if it is unknown."""
        if cell in self.distances:
            return False
        self.distances[cell] = 0
        return True

    def may_record(self, start: Cell, end: Cell) -> bool:
        """Record a move, if it goes on from a known cell, and shortens no way that others go on."""
        if start not in self.distances:
            return False
        distance = self.distances[start] + 1
        if distance >= self.distances.get(end, distance + 1):
            return True
        if self.found_from.get(end):
            return False
        if end in self.origins:
            self.found_from[self.origins[end]] -= 1
        self.found_from[start] = self.found_from.get(start, 0) + 1
        self.origins[end], self.distances[end] = start, distance
        return True
