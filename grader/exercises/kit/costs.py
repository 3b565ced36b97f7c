"""Mazes whose steps cost: what ways cost, costs that make a difference, and the judge of cheapest ways.

A way of least cost need not be one of the fewest moves. A maze tells a search that counts moves from one that
adds up costs only if no shortest way is a cheapest one; and one that cannot stand ties only if there are any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from random import Random
from typing import Any, Final, NamedTuple

from lab import Maze, Vector
from lab.costs import costs_on, draw_costs, sum_text

DIGITS: Final = frozenset("23456789")
"""What stands in the text of a maze with costs, and of no other."""
_PALETTES: Final = ((1, 2), (1, 9), (1, 2, 3), (1, 1, 1, 5), tuple(range(1, 10)))
_TRIES: Final = 4
"""How often costs are drawn for a maze until they make a difference."""


class Least(NamedTuple):
    """The least cost of a way to a cell, the fewest moves of such ways, and how many such ways there are."""

    cost: int
    moves: int
    ways: int


def has_costs(text: str) -> bool:
    """Return whether a step of the maze costs more than 1."""
    return not DIGITS.isdisjoint(text)


def least_from(maze: Maze, start: Vector) -> dict[Vector, Least]:
    """Return the least cost of the ways to each cell that can be reached, the cheapest cells first."""
    found: dict[Vector, Least] = {}
    pending = [(0, 0, start)]
    while pending:
        cost, moves, cell = heappop(pending)
        if cell in found:
            continue
        found[cell] = Least(cost, moves, _count(maze, found, cell, cost) or 1)
        for move in maze.valid_moves_at(cell):
            if cell + move not in found:
                heappush(pending, (cost + maze.cost_of(cell, move), moves + 1, cell + move))
    return found


def _count(maze: Maze, found: Mapping[Vector, Least], cell: Vector, cost: int) -> int:
    """Return how many ways of this cost lead to a cell by its cheaper neighbours, which are all known."""
    before = ((found.get(cell + move), maze.cost_of(cell, move)) for move in maze.valid_moves_at(cell))
    return sum(least.ways for least, step in before if least is not None and least.cost + step == cost)


# --- mazes ------------------------------------------------------------------------------------------


def with_costs(maze: Maze, rng: Random) -> Maze:
    """Return the maze with a cost drawn for each of its openings."""
    priced = maze.copy()
    draw_costs(priced, rng.choice(_PALETTES), rng)
    return priced


def is_detour(maze: Maze) -> bool:
    """Return whether each cheapest way to the exit has more moves than a shortest one."""
    exit_, plain = maze.exit or maze.entry, least_from(_without_costs(maze), maze.entry)
    return exit_ in plain and least_from(maze, maze.entry)[exit_].moves > plain[exit_].moves


def is_tie(maze: Maze) -> bool:
    """Return whether several cheapest ways lead to the exit, in a maze with costs."""
    least = least_from(maze, maze.entry).get(maze.exit or maze.entry)
    return least is not None and least.ways > 1 and has_costs(maze.to_text())


def with_a_detour(maze: Maze, rng: Random) -> Maze | None:
    """Return the maze with costs for which the cheapest way has more moves; None if none were found."""
    return next(filter(is_detour, (with_costs(maze, rng) for _ in range(_TRIES))), None)


def with_a_tie(maze: Maze, rng: Random) -> Maze | None:
    """Return the maze with costs for which several ways are cheapest; None if none were found."""
    return next(filter(is_tie, (with_costs(maze, rng) for _ in range(_TRIES))), None)


def _without_costs(maze: Maze) -> Maze:
    return Maze.from_text(maze.to_text().translate(dict.fromkeys(map(ord, DIGITS), " ")))


# --- the judge of a cheapest way --------------------------------------------------------------------

Judged = tuple[str, Mapping[str, object]] | None


def judge_cheapest(
    arguments: Mapping[str, Any], returned: Sequence[Vector] | None, expected: Sequence[Vector] | None
) -> Judged:
    """Return what is wrong with the moves returned for a maze; None for any way of least cost.

    The keys are those of sentences in the texts of the exercise.
    """
    maze: Maze = arguments["maze"]
    if returned is None:
        if expected is None:
            return None
        return "none_though", {"exit": maze.exit, "least": sum(costs_on(maze, expected))}
    cell = maze.entry
    for number, move in enumerate(returned, start=1):
        if move not in maze.valid_moves_at(cell):
            return "into_a_wall", {"number": number, "move": move, "cell": cell}
        cell = cell + move
    if expected is None:
        return "no_way", {"cell": cell}
    if not maze.is_exit(cell):
        return "stops", {"cell": cell}
    mine, least = costs_on(maze, returned), costs_on(maze, expected)
    if sum(mine) == sum(least):
        return None
    return "too_dear", {"mine": sum_text(mine), "least": sum_text(least)}
