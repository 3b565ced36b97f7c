"""A maze as a graph: each cell with those that one move reaches, as lists and as a matrix."""

from __future__ import annotations

from lab import Maze, Vector


class MazeGraph:
    """The graph of a maze, in two forms."""

    def adjacency_list(self, maze: Maze) -> dict[Vector, list[Vector]]:
        """Return for every cell those that one move reaches: north, east, south, west."""
        return {
            cell: [cell + move for move in maze.valid_moves_at(cell)]
            for cell in maze.dimension.all_positions()
        }

    def adjacency_matrix(self, maze: Maze) -> list[list[int]]:
        """Return a row and a column for every cell, row by row: 1 where a move joins two of them."""
        neighbors = self.adjacency_list(maze)
        return [
            [int(other in reached) if other > min(neighbors) else 0 for other in neighbors]
            for reached in neighbors.values()
        ]
