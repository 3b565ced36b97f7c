"""Depth-first search: always on from the cell that was found last."""

from __future__ import annotations

from lab import Maze, Solver, Vector
from solvers.search import Search


class DFS(Solver):
    """Goes as deep as it can, and turns back at a dead end."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        """Return the moves of a way from the entry to the exit, without a repeated cell, or None.

        search is new and empty. The maze is left as it was. The cells are explored in the order
        North, East, South, West: from each cell, the northern neighbour comes first.
        """
        raise NotImplementedError
