"""The public tests of maze_graph.py."""

from __future__ import annotations

from typing import Any

import public_mazes as mazes
from public_checks import complain, describe, stands_for, your

from lab import Maze, Vector


class TestMazeGraph:
    """The graph of a maze, in both forms."""

    def lists(self, maze: Maze) -> None:
        """Compare the adjacency list with the moves of the maze, cell by cell."""
        graph = self.ask("adjacency_list", maze)
        for cell in maze.dimension.all_positions():
            right = [cell + move for move in maze.valid_moves_at(cell)]
            came = graph.get(cell) if isinstance(graph, dict) else None
            if not isinstance(came, list | tuple) or [*came] != right:
                complain(
                    f"The adjacency list is wrong for the cell {cell_text(cell)}.",
                    maze,
                    shown(right),
                    shown(came),
                )
        more = [key for key in graph if key not in maze.dimension.all_positions()]
        if more:
            complain("The adjacency list has a cell too many.", maze, "the cells of the maze", shown(more))

    def matrix(self, maze: Maze) -> None:
        """Compare the adjacency matrix with the moves of the maze, number by number."""
        rows, cells = self.ask("adjacency_matrix", maze), maze.dimension.all_positions()
        count = len(cells)
        sizes = [len(row) for row in rows] if isinstance(rows, list | tuple) else []
        if sizes != [count] * count:
            complain(
                "The adjacency matrix has another size.", maze, f"{count} rows of {count}", describe(rows)
            )
        for row, one in enumerate(cells):
            for column, other in enumerate(cells):
                joined = other in [one + move for move in maze.valid_moves_at(one)]
                right = rows[0][0] if row == column else int(joined)
                if rows[row][column] != right or right not in (0, 1):
                    place = f"row {row + 1}, column {column + 1} ({cell_text(one)} to {cell_text(other)})"
                    complain(
                        f"The adjacency matrix is wrong in {place}.", maze, str(right), str(rows[row][column])
                    )

    def ask(self, method: str, maze: Maze) -> Any:
        """Return what the method of a new object answers; it leaves the maze as it was."""
        given = maze.copy()
        answer = getattr(your("MazeGraph")(), method)(given)
        if given.to_text() != maze.to_text():
            complain(f"{method} changed the maze.", maze, "the maze as it was", "it was changed")
        return answer

    @stands_for("list")
    def test_list_of_a_corridor(self) -> None:
        """adjacency_list: a corridor with turns"""
        self.lists(mazes.TURNS.maze)

    @stands_for("list")
    def test_list_of_a_room(self) -> None:
        """adjacency_list: a room, neighbors in the order North, East, South, West"""
        self.lists(mazes.ROOM.maze)

    @stands_for("list-shapes")
    def test_list_of_a_walled_cell(self) -> None:
        """adjacency_list: a cell without neighbors has an entry as well"""
        self.lists(mazes.WALLED_IN.maze)

    @stands_for("matrix")
    def test_matrix_of_a_corridor(self) -> None:
        """adjacency_matrix: a corridor with turns"""
        self.matrix(mazes.TURNS.maze)

    @stands_for("matrix")
    def test_matrix_of_a_room(self) -> None:
        """adjacency_matrix: a room"""
        self.matrix(mazes.ROOM.maze)

    @stands_for("matrix-shapes")
    def test_matrix_of_dead_ends(self) -> None:
        """adjacency_matrix: many dead ends"""
        self.matrix(mazes.DEAD_ENDS.maze)


def cell_text(cell: Vector) -> str:
    """Return a cell as people write it."""
    return f"({cell.row}, {cell.column})"


def shown(cells: Any) -> str:
    """Return a list of cells as people write it; anything else as Python does."""
    if isinstance(cells, list | tuple) and all(isinstance(cell, tuple) and len(cell) == 2 for cell in cells):
        return f"[{', '.join(f'({row}, {column})' for row, column in cells)}]"
    return describe(cells)
