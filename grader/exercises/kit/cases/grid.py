"""Small mazes as plain numbers, so that thousands can be made and sorted quickly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

Cell = tuple[int, int]
"""A row and a column, from 0."""
Side = tuple[Cell, Cell]
"""Two adjacent cells, the western or northern one first."""


class Parts:
    """Disjoint sets of joined cells; the smaller set is merged into the larger one."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._parts = {cell: [cell] for cell in cells}
        self.count = len(cells)
        """The number of parts."""

    def join(self, one: Cell, other: Cell) -> bool:
        """Join the parts of two cells; return whether they were different."""
        less, more = self._parts[one], self._parts[other]
        if less is more:
            return False
        if len(less) > len(more):
            less, more = more, less
        more += less
        for cell in less:
            self._parts[cell] = more
        self.count -= 1
        return True

    def are_joined(self, one: Cell, other: Cell) -> bool:
        """Return whether both are in the same part."""
        return self._parts[one] is self._parts[other]


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
        return [*_sides(self.rows, self.columns)]

    def parts(self) -> Parts:
        """Return the parts of the maze, each joined by passages."""
        parts = Parts(self.cells)
        for one, other in self.passages:
            parts.join(one, other)
        return parts

    def text(self) -> str:
        """Return the maze as text."""
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


@lru_cache(maxsize=64)
def _sides(rows: int, columns: int) -> tuple[Side, ...]:
    cells = product(range(rows), range(columns))
    pairs = (((r, c), other) for r, c in cells for other in ((r, c + 1), (r + 1, c)))
    return tuple((one, other) for one, other in pairs if other[0] < rows and other[1] < columns)


def read(text: str) -> Grid:
    """Read the grid of a maze from its text."""
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
    """The features that determine a maze's kind."""

    is_joined: bool
    """Whether every cell can be reached."""
    has_cycle: bool
    has_way: bool
    """Whether there is a way from the entry to the exit."""
    has_exit: bool
    is_square: bool


def shape_of(grid: Grid, parts: Parts | None = None) -> Shape:
    """Return the shape of a maze; its parts can be passed if they are known."""
    parts = parts or grid.parts()
    return Shape(
        is_joined=parts.count == 1,
        has_cycle=len(grid.passages) > grid.rows * grid.columns - parts.count,
        has_way=grid.exit is not None and parts.are_joined(grid.entry, grid.exit),
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
"""Whether a maze has the feature of a kind, as in ``grader.exercises.kit.cases.library.HAS``."""
