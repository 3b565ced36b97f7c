"""Where can I go from here? The first question to a maze."""

from __future__ import annotations

from lab import Maze, Vector


def neighbours(maze: Maze, position: Vector) -> list[Vector]:
    """Return the cells that one step from this position reaches, in any order.

    A step leads north, east, south or west, to a cell of the maze, and through no wall. Where walls stand on
    all four sides the list is empty. The maze is left as it was.
    """
    raise NotImplementedError
