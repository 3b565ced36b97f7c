"""Whether moves are a way: each through an open side, and the last one into the exit."""

from __future__ import annotations

from collections.abc import Sequence

from lab import Maze, Vector


def is_way(maze: Maze, moves: Sequence[Vector]) -> bool:
    """Return whether the moves lead from the entry to the exit, through no wall."""
    position = maze.entry
    for move in moves:
        if not maze.is_clear(position, move):
            return False
        position = position + move
    return maze.is_exit(position)
