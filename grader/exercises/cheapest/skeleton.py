"""The cheapest way: steps cost, and few steps may cost more than many."""

from __future__ import annotations

from solvers.search import Search

from lab import Maze, Solver, Vector


class Cheapest(Solver):
    """Finds a way whose steps cost least in all."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        """Return the moves of a way from the entry to the exit that costs least, or None if there is no way.

        maze.cost_of(position, move) says what a step costs, from 1 to 9; a way costs what its steps cost
        together. Where several ways cost least, any of them is right. search counts moves and not costs: it
        need not be used. The maze is left as it was.
        """
        raise NotImplementedError
