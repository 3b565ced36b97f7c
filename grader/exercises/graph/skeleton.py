"""A maze as a graph: each cell is a node, each passage an edge."""

from __future__ import annotations

from lab import Maze, Vector


class MazeGraph:
    """Writes down the graph of a maze, in two forms."""

    def adjacency_list(self, maze: Maze) -> dict[Vector, list[Vector]]:
        """Return for every cell the cells that one move reaches, in the order North, East, South, West."""
        raise NotImplementedError

    def adjacency_matrix(self, maze: Maze) -> list[list[int]]:
        """Return a list of n rows of n numbers, where n is the number of cells, counted row by row.

        In row i and column j stands 1 where a passage joins the cells i and j, and 0 where none does. What
        stands for a cell and itself, in the diagonal, is 0 or 1, the same for all cells.
        """
        raise NotImplementedError
