"""Breadth-first search: always on from the cell that was found first."""

from __future__ import annotations

from lab import Maze, Solver, Vector
from solvers.search import Search


class BFS(Solver):
    """Goes outwards from the entry, ring by ring."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        """Return the moves of a shortest way from the entry to the exit, or None.

        search is new and empty. The maze is left as it was. The cells are explored in the order
        North, East, South, West: from each cell, the northern neighbour comes first.
        """
        raise NotImplementedError
