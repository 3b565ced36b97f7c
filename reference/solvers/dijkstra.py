"""Dijkstra's algorithm: always on from the cell that is closest to the entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab import Maze, Solver, Vector

if TYPE_CHECKING:
    from .search import Search


class Dijkstra(Solver):
    """Goes on from the closest cell, so that the way to a cell that is taken is a shortest one."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        """Return the moves of a shortest way to the exit, or None.

        In a maze every move has the length one, so the closest cell, with ties to the one found
        first, is the cell found first: the visit order is that of a breadth-first search.
        """
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.closest_pending()
            if maze.is_exit(position):
                return search.moves_to(position)
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
        return None
