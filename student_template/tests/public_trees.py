"""Whether a generated maze is perfect, by a theorem instead of a walk (the walk is your exercise)."""

from __future__ import annotations

from lab import Maze


def spanning_trees(maze: Maze) -> int:
    """Count the perfect mazes that could be made of this one by building walls.

    Kirchhoff's theorem: write a matrix with the number of openings of each cell on the diagonal
    and -1 for each two cells with an opening between them; leave out one row and its column; the
    determinant is the answer. A perfect maze gives 1, itself; with a cell out of reach it is 0.
    """
    cells = maze.dimension.all_positions()
    index = {cell: number for number, cell in enumerate(cells)}
    matrix = [[0] * len(cells) for _ in cells]
    for cell, number in index.items():
        moves = maze.valid_moves_at(cell)
        matrix[number][number] = len(moves)
        for move in moves:
            matrix[number][index[cell + move]] = -1
    return _determinant([row[1:] for row in matrix[1:]])


def opening_count(maze: Maze) -> int:
    """Count the openings; a perfect maze has one less than it has cells."""
    return sum(len(maze.valid_moves_at(cell)) for cell in maze.dimension.all_positions()) // 2


def _determinant(matrix: list[list[int]]) -> int:
    """Bareiss's elimination: whole numbers only, so nothing is rounded."""
    sign, previous = 1, 1
    for step in range(len(matrix) - 1):
        pivot = next((row for row in range(step, len(matrix)) if matrix[row][step]), None)
        if pivot is None:
            return 0
        if pivot != step:
            matrix[step], matrix[pivot], sign = matrix[pivot], matrix[step], -sign
        top = matrix[step]
        for row in matrix[step + 1 :]:
            factor = row[step]
            for column in range(step + 1, len(matrix)):
                row[column] = (row[column] * top[step] - factor * top[column]) // previous
        previous = top[step]
    return sign * matrix[-1][-1] if matrix else 1
