"""Depth-first search: always on from the cell that was found last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab import Maze, Solver, Vector

if TYPE_CHECKING:
    from .search import Search


class DFS(Solver):
    """Goes as deep as it can, and turns back at a dead end."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        """Return the moves of a way to the exit, not always the shortest, or None.

        The moves are recorded from last to first: the cell found last is taken first, so the
        northern neighbour has to be found last to be visited first.
        """
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.last_pending()
            if maze.is_exit(position):
                return search.moves_to(position)
            for move in reversed(maze.valid_moves_at(position)):
                search.record(position, move, position + move)
        return None
