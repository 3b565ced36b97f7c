"""Judge whether a walk keeps its right hand on the wall, and report the first move that does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab import MOVES, NORTH, Maze, Vector


def judge(
    arguments: Mapping[str, Any], returned: list[Vector] | None, expected: list[Vector] | None
) -> tuple[str, Mapping[str, object]] | None:
    """Return what is wrong with the moves returned for a maze; None if nothing is."""
    maze: Maze = arguments["maze"]
    moves = returned
    if moves is None:
        return None if expected is None else ("gives_up", {"count": len(expected), "exit": maze.exit})
    position, facing = maze.entry, NORTH
    for number, move in enumerate(moves, start=1):
        here = {"number": number, "move": move, "cell": position}
        if maze.is_exit(position):
            return "goes_on", here
        if move not in maze.valid_moves_at(position):
            return "into_a_wall", here
        right = _by_the_rule(maze, position, facing)
        if move != right:
            return "leaves_the_wall", {**here, "facing": facing, "right": right}
        position, facing = position + move, move
    if maze.is_exit(position):
        return None
    if expected is None:
        return "never_comes", {"cell": position}
    return "stops", {"count": len(moves), "cell": position, "wanted": len(expected)}


def _by_the_rule(maze: Maze, position: Vector, facing: Vector) -> Vector:
    """Return the first open side: to the right, ahead, to the left, behind."""
    side = MOVES.index(facing)
    turned = [MOVES[(side + turn) % 4] for turn in (1, 0, 3, 2)]
    return next(move for move in turned if move in maze.valid_moves_at(position))
