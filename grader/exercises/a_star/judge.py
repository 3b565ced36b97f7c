"""Judge whether a way costs least, and in open rooms whether the estimate spared looking at cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.exercises.kit.costs import Judged, judge_cheapest, least_from
from lab import Maze, Vector

judge = judge_cheapest


def looks(
    arguments: Mapping[str, Any], returned: Sequence[Vector] | None, expected: Sequence[Vector] | None
) -> Judged:
    """Return what is wrong with a way, or with the cells that were looked at for it.

    Dijkstra's algorithm takes every cell that costs less than the exit before it takes the exit: who looks at
    as many has estimated nothing.
    """
    maze: Maze = arguments["maze"]
    looked_at, wrong = arguments["looked_at"], judge_cheapest(arguments, returned, expected)
    if wrong is not None or returned is None or maze.exit is None:
        return wrong
    cell = maze.entry
    for move in returned:
        if cell not in looked_at:
            return "unseen", {"cell": cell}
        cell = cell + move
    least = least_from(maze, maze.entry)
    many = sum(each.cost < least[maze.exit].cost for each in least.values())
    if len(looked_at) < many:
        return None
    few = sum(each.cost + _steps(at, maze.exit) <= least[maze.exit].cost for at, each in least.items()) - 1
    return "looks_at_all", {"count": len(looked_at), "many": many, "few": few}


def _steps(cell: Vector, exit_: Vector) -> int:
    return abs(exit_.row - cell.row) + abs(exit_.column - cell.column)
