"""The cells that one step reaches: those behind the sides that no wall closes."""

from __future__ import annotations

from lab import Maze, Vector


def neighbours(maze: Maze, position: Vector) -> list[Vector]:
    """Return the cells that one step from this position reaches."""
    return [position + move for move in maze.valid_moves_at(position)]
