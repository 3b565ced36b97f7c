"""The scripts that are left of a script when calls are taken out of it, or its cells moved to (1, 1)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from grader.cases.search_scripts import Script

MOST = 150
"""At most 150 scripts are made of one."""


def simpler(steps: Script, wrong_at: int) -> list[Script]:
    """Scripts with fewer calls, and then the same calls closer to (1, 1); of the calls after the one that
    went wrong none is left. A right Search answers them all alike."""
    cut = steps[: wrong_at + 1]
    fair = (less for less in _less(cut) if is_fair(less))
    found = dict.fromkeys(islice(chain((cut,), map(moved, fair)), MOST))
    found.pop(steps, None)
    return sorted(found, key=len)


def _less(steps: Script) -> Iterator[Script]:
    yield steps
    size = len(steps) // 2
    while size:
        for start in range(0, len(steps) - 1, size):
            yield steps[:start] + steps[min(start + size, len(steps) - 1) :]
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
    searches: defaultdict[int, _Known] = defaultdict(_Known)
    for instance, method, given in steps:
        known = searches[instance]
        if method == "mark_as_pending" and not known.may_mark(given[0]):
            return False
        if method == "record" and not known.may_record(given[0], given[2]):
            return False
    return True


class _Known:
    """The cells that a search knows: how far each is, from which it was found, and how many from it."""

    def __init__(self) -> None:
        self._distances: dict[tuple[int, int], int] = {}
        self._origins: dict[tuple[int, int], tuple[int, int]] = {}
        self._found_from: Counter[tuple[int, int]] = Counter()

    def may_mark(self, cell: tuple[int, int]) -> bool:
        """Mark a cell, if it is unknown."""
        if cell in self._distances:
            return False
        self._distances[cell] = 0
        return True

    def may_record(self, start: tuple[int, int], end: tuple[int, int]) -> bool:
        """Record a move, if it goes on from a known cell, and shortens no way that others go on."""
        if start not in self._distances:
            return False
        distance = self._distances[start] + 1
        if distance >= self._distances.get(end, distance + 1):
            return True
        if self._found_from[end]:
            return False
        if end in self._origins:
            self._found_from[self._origins[end]] -= 1
        self._found_from[start] += 1
        self._origins[end], self._distances[end] = start, distance
        return True
