"""Is this a way? What every solver promises, and what a test of solvers asks."""

from __future__ import annotations

from lab import Maze, Vector


def is_way(maze: Maze, moves: list[Vector]) -> bool:
    """Return whether these moves lead from the entry to the exit, through no wall.

    A way may come by a cell more than once, also by the exit: what counts is where it ends. Where there is no
    exit there is no way. The maze is left as it was.
    """
    raise NotImplementedError
