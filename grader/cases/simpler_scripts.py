"""The scripts that are left of a script when calls are taken out of it, or its cells moved to (1, 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from grader.cases.search_scripts import Script
from lab import Vector
from reference.solvers.search import Search

MOST = 150
"""At most 150 scripts are made of one."""


def simpler(steps: Script, wrong_at: int) -> list[Script]:
    """Scripts with fewer calls, and then the same calls closer to (1, 1); of the calls after the one that
    went wrong none is left. A right Search answers them all alike."""
    cut = steps[: wrong_at + 1]
    found = dict.fromkeys(islice((script for script in _less(cut) if is_fair(script)), MOST))
    found.pop(steps, None)
    return sorted(found, key=len)


def _less(steps: Script) -> Iterator[Script]:
    yield steps
    yield moved(steps)
    size = len(steps) // 2
    while size:
        for start in range(0, len(steps) - 1, size):
            yield moved(steps[:start] + steps[min(start + size, len(steps) - 1) :])
        size //= 2


def moved(steps: Script) -> Script:
    """The same calls as far north and west as can be."""
    cells = [cell for step in steps for cell in _cells(step)]
    if not cells:
        return steps
    north, west = min(row for row, _ in cells) - 1, min(column for _, column in cells) - 1

    def vectors(method: str, given: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        return tuple(
            (row, column) if method == "record" and number == 1 else (row - north, column - west)
            for number, (row, column) in enumerate(given)
        )

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
    searches: dict[int, Search] = {}
    parents: dict[int, dict[Vector, Vector]] = {}
    for instance, method, given in steps:
        search = searches.setdefault(instance, Search())
        found_from = parents.setdefault(instance, {})
        vectors = [Vector(*pair) for pair in given]
        if method == "mark_as_pending" and vectors[0] in search.known_cells:
            return False
        if method == "record" and not _may_record(search, found_from, vectors):
            return False
        _do(search, method, vectors)
    return True


def _may_record(search: Search, found_from: dict[Vector, Vector], vectors: Sequence[Vector]) -> bool:
    start, _, end = vectors
    known = search.known_cells
    if start not in known:
        return False
    if end in known and search.distance_to(start) + 1 >= search.distance_to(end):
        return True
    if end in found_from.values():
        return False
    found_from[end] = start
    return True


def _do(search: Search, method: str, vectors: Sequence[Vector]) -> None:
    try:
        if method != "known_cells":
            getattr(search, method)(*vectors)
    except LookupError:
        return
