"""The walls and ways of a maze as strokes, for all pictures drawn with lines.

Points are corners ``(x, y)`` of cells, counted from the north-west corner of the maze; the middle of the cell
``(row, column)`` is ``(column - 0.5, row - 0.5)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from lab.maze import Maze
from lab.vector import EAST, SOUTH, Vector


class Stroke(NamedTuple):
    """A straight line between two corners."""

    x1: int
    y1: int
    x2: int
    y2: int


def walls(maze: Maze) -> Iterator[Stroke]:
    """Yield all walls, including the border; adjoining walls form one stroke."""
    rows, columns = maze.dimension.row_count, maze.dimension.column_count
    yield Stroke(0, 0, columns, 0)
    for row in range(1, rows):
        closed = (maze.is_wall((row, column), SOUTH) for column in range(1, columns + 1))
        yield from (Stroke(start, row, end, row) for start, end in _runs(closed))
    yield Stroke(0, rows, columns, rows)
    yield Stroke(0, 0, 0, rows)
    for column in range(1, columns):
        closed = (maze.is_wall((row, column), EAST) for row in range(1, rows + 1))
        yield from (Stroke(column, start, column, end) for start, end in _runs(closed))
    yield Stroke(columns, 0, columns, rows)


def wall_at(position: Vector, move: Vector) -> Stroke:
    """Return the wall on that side of the cell."""
    row, column = position
    x = column - 1 + (move[1] == 1)
    y = row - 1 + (move[0] == 1)
    return Stroke(x, y, x + (move[0] != 0), y + (move[1] != 0))


def middles(start: Vector, moves: Sequence[Vector]) -> list[tuple[float, float]]:
    """Return the middles of the cells that the moves lead through, the start first."""
    points = [(start[1] - 0.5, start[0] - 0.5)]
    for move in moves:
        x, y = points[-1]
        points.append((x + move[1], y + move[0]))
    return points


def _runs(flags: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each unbroken run of true flags."""
    start = None
    for index, flag in enumerate(chain(flags, (False,))):
        if flag and start is None:
            start = index
        elif not flag and start is not None:
            yield start, index
            start = None
