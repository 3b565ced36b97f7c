"""Small mazes as plain numbers, of which thousands are made and sorted in no time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Cell = tuple[int, int]
"""A row and a column, from 0."""
Side = tuple[Cell, Cell]
"""Two cells beside each other, the western or northern one first."""


class Grid(NamedTuple):
    """A maze."""

    rows: int
    columns: int
    passages: frozenset[Side]
    entry: Cell
    exit: Cell | None

    @property
    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    @property
    def sides(self) -> list[Side]:
        """All places of a wall or a passage, row by row."""
        pairs = (((r, c), other) for r, c in self.cells for other in ((r, c + 1), (r + 1, c)))
        return [(one, other) for one, other in pairs if other[0] < self.rows and other[1] < self.columns]

    def parts(self) -> dict[Cell, Cell]:
        """One cell for each part of the maze, by the cells that lie in it."""
        parts = {cell: cell for cell in self.cells}
        for one, other in self.passages:
            old, new = parts[one], parts[other]
            if old != new:
                parts = {cell: new if part == old else part for cell, part in parts.items()}
        return parts

    def text(self) -> str:
        """The maze as text."""
        wall, cells = "+" + "-+" * self.columns, "|" + " |" * self.columns
        lines = [list(line) for line in (*(wall, cells) * self.rows, wall)]
        for (row, column), (below, _) in self.passages:
            if below == row:
                lines[2 * row + 1][2 * column + 2] = " "
            else:
                lines[2 * row + 2][2 * column + 1] = " "
        for mark, cell in (("S", self.entry), ("E", self.exit)):
            if cell is not None:
                lines[2 * cell[0] + 1][2 * cell[1] + 1] = mark
        return "\n".join(map("".join, lines))


def read(text: str) -> Grid:
    """The grid of a maze as text."""
    lines = text.split("\n")
    rows, columns = len(lines) // 2, len(lines[0]) // 2
    marks: dict[str, Cell] = {}
    passages = set()
    for row in range(rows):
        for column in range(columns):
            marks.setdefault(lines[2 * row + 1][2 * column + 1], (row, column))
            if lines[2 * row + 1][2 * column + 2] == " ":
                passages.add(((row, column), (row, column + 1)))
            if lines[2 * row + 2][2 * column + 1] == " ":
                passages.add(((row, column), (row + 1, column)))
    return Grid(rows, columns, frozenset(passages), marks["S"], marks.get("E"))


class Shape(NamedTuple):
    """What decides of which kind a maze is."""

    is_joined: bool
    """Every cell can be reached."""
    has_cycle: bool
    has_way: bool
    """From the entry to the exit."""
    has_exit: bool
    is_square: bool


def shape_of(grid: Grid) -> Shape:
    """The shape of a maze."""
    parts = grid.parts()
    count = len(set(parts.values()))
    return Shape(
        is_joined=count == 1,
        has_cycle=len(grid.passages) > len(parts) - count,
        has_way=grid.exit is not None and parts[grid.entry] == parts[grid.exit],
        has_exit=grid.exit is not None,
        is_square=grid.rows == grid.columns,
    )


IS: dict[str, Callable[[Shape], bool]] = {
    "way": lambda shape: shape.has_exit and shape.is_joined and not shape.has_cycle,
    "cycles": lambda shape: shape.has_way and shape.has_cycle,
    "no way": lambda shape: not shape.has_way,
    "shapes": lambda shape: (
        shape.has_exit and shape.is_joined and not shape.has_cycle and not shape.is_square
    ),
    "reachable": lambda shape: shape.has_way,
    "perfect": lambda shape: shape.is_joined and not shape.has_cycle,
    "extra passage": lambda shape: shape.is_joined and shape.has_cycle,
    "missing passage": lambda shape: not shape.is_joined and not shape.has_cycle,
    "cycle and island": lambda shape: not shape.is_joined and shape.has_cycle,
}
"""Whether a maze has the feature of a kind, as ``grader.cases.strategies.HAS`` has it."""
