"""Where generators start from: mazes with no walls, or with all of them."""

from __future__ import annotations

from lab.dimension import Dimension
from lab.maze import Maze


class Factory:
    """Makes mazes with the entry in (1, 1) and the exit in the last cell.

    Both need two cells: a dimension of one cell is refused with ValueError.
    """

    def fully_connected(self, dimension: Dimension) -> Maze:
        """Return a maze without inner walls."""
        return _maze(dimension, between=" ", beneath=" ")

    def fully_disconnected(self, dimension: Dimension) -> Maze:
        """Return a maze with all inner walls."""
        return _maze(dimension, between="|", beneath="-")


def _maze(dimension: Dimension, *, between: str, beneath: str) -> Maze:
    if dimension.position_count < 2:
        raise ValueError(f"expected a dimension of two cells or more, got {dimension}: no room for an exit")
    columns = dimension.column_count
    border = "+-" * columns + "+"
    row = "|" + between.join(" " * columns) + "|"
    gap = f"+{beneath}" * columns + "+"
    lines = [border, row, *[gap, row] * (dimension.row_count - 1), border]
    lines[1] = "|S" + lines[1][2:]
    lines[-2] = lines[-2][:-2] + "E|"
    return Maze(lines)
