"""Say of moves that were judged wrongly what they do in the maze."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lab import Maze, Vector

Judged = tuple[str, Mapping[str, object]] | None


def judge(arguments: Mapping[str, Any], returned: bool, expected: bool) -> Judged:
    """Return what the moves do where the answer is wrong; None where it is right."""
    if returned == expected:
        return None
    maze: Maze = arguments["maze"]
    moves: Sequence[Vector] = arguments["moves"]
    position, passed = maze.entry, 0
    for number, move in enumerate(moves, start=1):
        if not maze.is_clear(position, move):
            return "into_a_wall", {"number": number, "move": move, "cell": position}
        position = position + move
        passed = number if maze.is_exit(position) else passed
    if expected:
        return "is_a_way", {"exit": position}
    if not maze.has_exit():
        return "no_exit", {}
    return ("goes_on", {"number": passed, "cell": position}) if passed else ("elsewhere", {"cell": position})
