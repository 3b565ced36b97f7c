"""Make a script smaller by removing calls, or by moving its cells towards (1, 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice, starmap
from typing import Final

from grader.exercises.search.scripts import Script, Step

Cell = tuple[int, int]
_Known = tuple[dict[Cell, int], dict[Cell, Cell], dict[Cell, int]]

MOST = 150
"""How many scripts are made from one."""
_FINDING: Final = ("mark_as_pending", "record")
"""The calls that make cells known."""
_FAR: Final = 2**60
_NOWHERE: Final = _FAR, _FAR
"""The place of a call without cells, farther away than any cell. The cells of all other calls are their first
and last argument; between these, record has a move."""


def simpler(steps: Script, wrong_at: int) -> list[Script]:
    """Return scripts with fewer calls, then the same calls closer to (1, 1).

    All end with the call that went wrong, and every right Search answers them alike.
    """
    cut = steps[: wrong_at + 1]
    moved = _Moved(cut)
    found = dict.fromkeys(islice(chain((cut,), starmap(moved.without, _fair(cut))), MOST))
    found.pop(steps, None)
    return sorted(found, key=len)


def _fair(steps: Script) -> Iterator[tuple[int, int]]:
    """Yield ranges of calls that can be removed so that the rest stays fair.

    The empty range comes first, then long ranges before short ones. The last call always stays.
    """
    if is_fair(steps):
        yield 0, 0
    finding = [step for step in steps if step[1] in _FINDING]
    made = [0, *accumulate(step[1] in _FINDING for step in steps)]
    size, last = len(steps) // 2, len(steps) - 1
    while size:
        before = _Searches()
        for start in range(0, last, size):
            end = min(start + size, last)
            if before.copy().make(finding[made[end] :]):
                yield start, end
            if not before.make(finding[made[start] : made[end]]):
                break
        size //= 2


class _Moved:
    """A script's calls as far north and west as possible, without some of them."""

    def __init__(self, steps: Script) -> None:
        ends = [(given[0], given[-1]) if given else (_NOWHERE, _NOWHERE) for _, _, given in steps]
        self._norths = _Least([min(first[0], last[0]) for first, last in ends])
        self._wests = _Least([min(first[1], last[1]) for first, last in ends])
        self._moved: dict[tuple[int, int], Script] = {(0, 0): steps, (_FAR - 1, _FAR - 1): steps}

    def without(self, start: int, end: int) -> Script:
        """Return the calls before ``start`` and from ``end`` on."""
        by = self._norths.without(start, end) - 1, self._wests.without(start, end) - 1
        if by not in self._moved:
            self._moved[by] = tuple(_moved(step, *by) for step in self._moved[0, 0])
        steps = self._moved[by]
        return steps[:start] + steps[end:]


class _Least:
    """The minimum of some numbers, without a range of them."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._from_the_left = [_FAR, *accumulate(numbers, min)]
        self._from_the_right = [_FAR, *accumulate(reversed(numbers), min)][::-1]

    def without(self, start: int, end: int) -> int:
        """Return the minimum of the numbers before ``start`` and from ``end`` on."""
        return min(self._from_the_left[start], self._from_the_right[end])


def _moved(step: Step, north: int, west: int) -> Step:
    """Move a call's cells this far to the north and west.

    The second vector of record is a move, and stays unchanged.
    """
    instance, method, given = step
    vectors = tuple((row - north, column - west) for row, column in given)
    return instance, method, (vectors[0], given[1], vectors[2]) if method == "record" else vectors


def moved(steps: Script) -> Script:
    """Move the calls as far north and west as possible."""
    return _Moved(steps).without(0, 0)


def extent(steps: Script) -> int:
    """Return how far the script goes from (1, 1), in rows and columns."""
    return max([row + column for _, _, given in steps for row, column in given[::2]], default=0)


def is_fair(steps: Script) -> bool:
    """Return whether the contract determines what every call returns.

    Only unknown cells are marked, moves start in known cells, and a cell from which another one was found is
    not found by a shorter way.
    """
    return _Searches().make(steps)


class _Searches:
    """What each search of a script knows after some of its calls.

    For each cell: how far it is, its predecessor, and how many cells were found from it.
    """

    def __init__(self, known: Mapping[int, _Known] | None = None) -> None:
        self._known = dict(known or {})

    def copy(self) -> _Searches:
        return _Searches(
            {instance: (a.copy(), b.copy(), c.copy()) for instance, (a, b, c) in self._known.items()}
        )

    def make(self, steps: Sequence[Step]) -> bool:
        """Make the calls as long as they are fair; return whether all are."""
        for instance, method, given in steps:
            if method not in _FINDING:
                continue
            if instance not in self._known:
                self._known[instance] = {}, {}, {}
            known = self._known[instance]
            may_be_made = _may_mark if method == "mark_as_pending" else _may_record
            if not may_be_made(known, given[0], given[-1]):
                return False
        return True


def _may_mark(known: _Known, cell: Cell, _end: Cell) -> bool:
    """Mark a cell if it is unknown; return whether it was."""
    distances, _, _ = known
    if cell in distances:
        return False
    distances[cell] = 0
    return True


def _may_record(known: _Known, start: Cell, end: Cell) -> bool:
    """Record a move if it is fair; return whether it was.

    It must start in a known cell, and must not shorten a way that others continue.
    """
    distances, origins, found_from = known
    if start not in distances:
        return False
    distance = distances[start] + 1
    if end in distances and distance >= distances[end]:
        return True
    if found_from.get(end):
        return False
    if end in origins:
        found_from[origins[end]] -= 1
    found_from[start] = found_from.get(start, 0) + 1
    origins[end], distances[end] = start, distance
    return True
