"""Judge whether a maze is braided, and report the first cell where it is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab import EAST, SOUTH, Maze, Vector

Judged = tuple[str, Mapping[str, object]] | None


def judge(arguments: Mapping[str, Any], returned: Maze | None, expected: Maze) -> Judged:  # noqa: ARG001 - as judges are called
    """Return what is wrong with the maze that was made of another; None if nothing is."""
    maze: Maze = arguments["maze"]
    if returned is None:
        return "nothing", {}
    if returned.dimension != maze.dimension:
        return "other_size", {"size": str(returned.dimension), "wanted": str(maze.dimension)}
    if (returned.entry, returned.exit) != (maze.entry, maze.exit):
        return "other_ends", {}
    cells = maze.dimension.all_positions()
    sides = [(cell, move) for cell in cells for move in (EAST, SOUTH)]
    opened = [
        (cell, move) for cell, move in sides if returned.is_clear(cell, move) and maze.is_wall(cell, move)
    ]
    built = [
        (cell, move) for cell, move in sides if returned.is_wall(cell, move) and maze.is_clear(cell, move)
    ]
    if built:
        cell, move = built[0]
        return "builds", {"cell": cell, "other": cell + move}
    left = next((cell for cell in cells if _is_dead_end(returned, cell)), None)
    if left is not None:
        return "dead_end", {"cell": left}
    count = sum(len(maze.valid_moves_at(cell)) <= 1 for cell in cells)
    return ("too_many", {"opened": len(opened), "count": count}) if len(opened) > count else None


def _is_dead_end(maze: Maze, cell: Vector) -> bool:
    """Return whether one side is open, and another could be."""
    return len(maze.valid_moves_at(cell)) == 1 < len(maze.moves_at(cell))
