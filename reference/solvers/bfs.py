"""Breadth-first search: always on from the cell that was found first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab import Maze, Solver, Vector

if TYPE_CHECKING:
    from .search import Search


class BFS(Solver):
    """Goes outwards from the entry, ring by ring."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        """Return the moves of a shortest way to the exit, or None.

        Cells are taken in the order they were found, so one that is nearer comes earlier, and the
        first way that reaches the exit is a shortest one.
        """
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.first_pending()
            if maze.is_exit(position):
                return search.moves_to(position)
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
        return None
