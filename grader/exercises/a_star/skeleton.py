"""A*: Dijkstra's algorithm, and an estimate of what is still to be paid."""

from __future__ import annotations

from solvers.search import Search

from lab import Maze, Solver, Vector


class AStar(Solver):
    """Finds a way whose steps cost least in all, and looks at few cells for it."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        """Return the moves of a way from the entry to the exit that costs least, or None if there is no way.

        maze.cost_of(position, move) says what a step costs, at least 1. So from a cell to the exit at least 1
        is paid for each row and each column between them. Of the pending cells, the one with the least sum of
        what was paid and of this estimate comes first. It is counted which cells you ask the maze about, by
        valid_moves_at and the like: ask only about those that you take. search counts moves and not costs: it
        need not be used. The maze is left as it was.
        """
        raise NotImplementedError
