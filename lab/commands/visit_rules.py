"""Find the rule by which a solver took cells from the pending ones, as far as its visits show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from typing import NamedTuple

from lab.exercises import BY_NAME
from lab.maze import Maze, Position
from lab.vector import MOVES, Vector

_Waiting = dict[Vector, int]
"""The pending cells in the order in which they were found, each with the length of its way."""
_RIGHT = {
    "last found": "takes the one that it found last",
    "first found": "takes the one that it found first",
    "closest": "takes the one that is closest to S, of several the one found first",
}


class VisitedMaze(NamedTuple):
    """A maze, and the cells that a solver visited in it, in order."""

    maze: Maze
    visits: Sequence[Position]


def rule(name: str, runs: Iterable[VisitedMaze]) -> str:
    """Say by which wrong rule a solver took its cells in all runs; "" if not exactly one explains them."""
    seen = [VisitedMaze(maze, _cells(maze, visits)) for maze, visits in runs]
    exercise = BY_NAME.get(name)
    if exercise is None or exercise.takes not in _RIGHT or not all(len(run.visits) > 1 for run in seen):
        return ""
    right = f"{name} {_RIGHT[exercise.takes]}"
    if exercise.goes_deep:
        return f"{_TOOK} found first, as from a queue: {right}." if _all(seen, _first) else ""
    orders = [order for order in permutations(MOVES) if _all(seen, _first, order)]
    if MOVES in orders:
        return ""
    said = [f"{sentence}: {right}." for wrong, sentence in _WRONG.items() if _all(seen, wrong)]
    said += map(_explored, orders)
    if not said and _all(seen, _farthest):
        return f"Each time it took a cell farthest from S, going deeper first: {right}."
    return said[0] if len(said) == 1 else ""


_TOOK = "Each time it took the cell that it had"
_OF_SEVERAL = "Of the cells closest to S it took the one"
_Rule = Callable[[Vector, _Waiting], bool]


def _first(taken: Vector, waiting: _Waiting) -> bool:
    return taken == next(iter(waiting))


def _last(taken: Vector, waiting: _Waiting) -> bool:
    return taken == next(reversed(waiting))


def _farthest(taken: Vector, waiting: _Waiting) -> bool:
    return waiting[taken] == max(waiting.values())


def _closest_by_place(taken: Vector, waiting: _Waiting) -> bool:
    return taken == min(waiting, key=lambda cell: (waiting[cell], cell))


def _closest_found_last(taken: Vector, waiting: _Waiting) -> bool:
    return taken == min(reversed(waiting), key=waiting.__getitem__)


_WRONG: dict[_Rule, str] = {
    _last: f"{_TOOK} found last, as from a stack",
    _closest_by_place: f"{_OF_SEVERAL} that is smallest as (row, column), as a heap of (distance, cell) does",
    _closest_found_last: f"{_OF_SEVERAL} found last",
}


def _all(runs: Iterable[VisitedMaze], rule: _Rule, order: Sequence[Vector] = MOVES) -> bool:
    """Return whether the rule explains all choices of all runs, with moves explored in this order.

    A pending cell that is found again keeps its place or, if the solver goes deeper first, moves to the end.
    """
    views = (False, True) if rule in (_last, _farthest) else (False,)
    return any(all(_follows(run, rule, order, again) for run in runs) for again in views)


def _follows(run: VisitedMaze, rule: _Rule, order: Sequence[Vector], again: bool) -> bool:
    waiting, visited = {run.maze.entry: 0}, set()
    for cell in map(Vector._make, run.visits):
        if cell not in waiting or not rule(cell, waiting):
            return False
        distance = waiting.pop(cell) + 1
        visited.add(cell)
        for there in [cell + move for move in order if run.maze.is_valid_at(cell, move)]:
            if there in visited:
                continue
            if again:
                waiting.pop(there, None)
            waiting.setdefault(there, distance)
    return True


def _explored(order: Sequence[Vector]) -> str:
    """Return the sentence for a solver whose only mistake is the order in which it explores the moves."""
    names = ", ".join(move.name.capitalize() for move in order)
    return f"It explores {names}: explore North, East, South, West."


def _cells(maze: Maze, visits: Iterable[Position]) -> list[Position]:
    """Return each visited cell once, the entry first, whether or not it was counted.

    Empty if visits continue after the exit: such a solver may read the whole maze before it searches.
    """
    seen = list(dict.fromkeys([maze.entry, *visits]))
    return [] if maze.exit in seen[:-1] else seen
