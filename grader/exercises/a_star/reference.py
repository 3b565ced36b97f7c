"""A*: always on from the cell through which a way to the exit may cost least."""

from __future__ import annotations

from heapq import heappop, heappush

from lab import Maze, Solver, Vector


class AStar(Solver):
    """Dijkstra's algorithm with an estimate of what is still to be paid."""

    def solve(self, maze: Maze, search: object) -> list[Vector] | None:  # noqa: ARG002 - as solvers are called
        """Return the moves of a way whose steps cost least in all, or None where no way leads to the exit."""
        if maze.exit is None:
            return None
        paid, came_by = {maze.entry: 0}, dict[Vector, Vector]()
        pending, taken = [(0, maze.entry)], set[Vector]()
        while pending:
            _, cell = heappop(pending)
            if cell == maze.exit:
                return self._way(maze, came_by)
            if cell in taken:
                continue
            taken.add(cell)
            for move in maze.valid_moves_at(cell):
                reached, total = cell + move, paid[cell] + maze.cost_of(cell, move)
                if reached not in paid or total < paid[reached]:
                    paid[reached], came_by[reached] = total, move
                    heappush(pending, (total + self._estimate(reached, maze.exit), reached))
        return None

    def _estimate(self, cell: Vector, exit_: Vector) -> int:
        """Return what is still to be paid at the least: 1 for each row and column on the way."""
        return abs(exit_.row - cell.row) + abs(exit_.column - cell.column)

    def _way(self, maze: Maze, came_by: dict[Vector, Vector]) -> list[Vector]:
        """Return the moves to the exit, collected from there back to the entry."""
        cell, moves = maze.exit, list[Vector]()
        while cell is not None and cell != maze.entry:
            moves.append(came_by[cell])
            cell = cell + came_by[cell].opposite()
        return moves[::-1]
