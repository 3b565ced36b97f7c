"""The cheapest way: always on from the cell that costs least to reach, by a heap."""

from __future__ import annotations

from heapq import heappop, heappush

from lab import Maze, Solver, Vector


class Cheapest(Solver):
    """Dijkstra's algorithm on steps that cost."""

    def solve(self, maze: Maze, search: object) -> list[Vector] | None:  # noqa: ARG002 - as solvers are called
        """Return the moves of a way whose steps cost least in all, or None where no way leads to the exit."""
        least, came_by = {maze.entry: 0}, dict[Vector, Vector]()
        pending = [(0, maze.entry)]
        while pending:
            cost, cell = heappop(pending)
            if maze.is_exit(cell):
                return self._way(maze, came_by, cell)
            if cost > least[cell]:
                continue
            for move in maze.valid_moves_at(cell):
                reached, total = cell + move, cost + maze.cost_of(cell, move)
                if reached not in least or total < least[reached]:
                    least[reached], came_by[reached] = total, move
                    heappush(pending, (total, reached))
        return None

    def _way(self, maze: Maze, came_by: dict[Vector, Vector], cell: Vector) -> list[Vector]:
        """Return the moves to a cell, collected from there back to the entry."""
        moves = []
        while cell != maze.entry:
            moves.append(came_by[cell])
            cell = cell + came_by[cell].opposite()
        return moves[::-1]
