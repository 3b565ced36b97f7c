"""Mazes of several levels: a matrix of up-down doors besides the north-south and west-east ones.

Source: N. Smythe's maze program, whose doors are matrices; one more of them makes a maze three-dimensional.
Students do not get this.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import NamedTuple

from reference.generators.random_tree import Pop, pop_last, random_tree


class Cell(NamedTuple):
    """A cell; levels count from 1 downwards, rows southwards, columns eastwards."""

    level: int
    row: int
    column: int


Matrix = list[list[list[bool]]]
Edge = tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class Tower:
    """A maze of several levels as its doors; true means open, and all indices count from 0."""

    north_south: Matrix
    """``[level][row][column]``: from a row to the next, so one row fewer than cells."""
    west_east: Matrix
    """From a column to the next, so one column fewer."""
    up_down: Matrix
    """From a level to the next one below it, so one level fewer."""

    @property
    def size(self) -> Cell:
        """The number of levels, rows and columns, which is also its last cell."""
        return Cell(len(self.west_east), len(self.west_east[0]), len(self.west_east[0][0]) + 1)

    def cells(self) -> Iterator[Cell]:
        """Yield every cell, level by level, row by row."""
        return _cells(self.size)

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the cells that can be entered from this one."""
        return [other for other in _around(cell, self.size) if self.is_open(cell, other)]

    def is_open(self, cell: Cell, other: Cell) -> bool:
        """Tell whether the door between two cells next to each other is open."""
        matrix, (level, row, column) = self._door(cell, other)
        return matrix[level][row][column]

    def open(self, cell: Cell, other: Cell) -> None:
        """Open the door between two cells next to each other."""
        matrix, (level, row, column) = self._door(cell, other)
        matrix[level][row][column] = True

    def _door(self, cell: Cell, other: Cell) -> tuple[Matrix, tuple[int, int, int]]:
        """Return the matrix that contains a door, and its indices there: those of the lesser of its cells."""
        near, far = sorted((cell, other))
        matrices = {(1, 0, 0): self.up_down, (0, 1, 0): self.north_south, (0, 0, 1): self.west_east}
        step = (far.level - near.level, far.row - near.row, far.column - near.column)
        if step not in matrices:
            raise ValueError(f"expected two cells next to each other, got {tuple(cell)} and {tuple(other)}")
        return matrices[step], (near.level - 1, near.row - 1, near.column - 1)


def closed_tower(levels: int, rows: int, columns: int) -> Tower:
    """Return a tower without an open door."""
    if min(levels, rows, columns) < 1:
        raise ValueError(f"expected at least one level, row and column, got {levels}, {rows} and {columns}")

    def shut(levels: int, rows: int, columns: int) -> Matrix:
        return [[[False] * columns for _ in range(rows)] for _ in range(levels)]

    return Tower(
        shut(levels, rows - 1, columns), shut(levels, rows, columns - 1), shut(levels - 1, rows, columns)
    )


def make(levels: int, rows: int, columns: int, rng: Random, *, pop: Pop[Cell] = pop_last) -> Tower:
    """Return a perfect maze of that size, a random tree over all its cells."""
    tower = closed_tower(levels, rows, columns)
    size = tower.size
    edges: Iterable[Edge] = random_tree(_cells(size), lambda cell: _around(cell, size), pop, rng)
    for cell, other in edges:
        tower.open(cell, other)
    return tower


def is_perfect(tower: Tower) -> bool:
    """Return whether exactly one way joins any two cells: a tree has one door fewer than cells."""
    open_doors = sum(
        door for matrix in (tower.north_south, tower.west_east, tower.up_down)
        for level in matrix for row in level for door in row
    )  # fmt: skip
    count = sum(1 for _ in tower.cells())
    return open_doors == count - 1 and len(_came_from(tower, Cell(1, 1, 1))) == count


def solve(tower: Tower, start: Cell, end: Cell) -> list[Cell] | None:
    """Return a shortest way, breadth first, from start to end, both included; None for no way."""
    came_from = _came_from(tower, start)
    if end not in came_from:
        return None
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


def draw(tower: Tower, *, way: Sequence[Cell] = ()) -> str:
    """Draw the levels below each other, as text.

    ``^`` is a door up, ``v`` a door down, ``x`` both; ``S`` and ``E`` are the ends of the way, and dots mark
    it where nothing else is drawn.
    """
    used = {frozenset(step) for step in pairwise(way)}
    levels = range(1, tower.size.level + 1)
    return "\n\n".join(f"Level {level}\n" + "\n".join(_level(tower, level, way, used)) for level in levels)


def _level(tower: Tower, level: int, way: Sequence[Cell], used: set[frozenset[Cell]]) -> Iterator[str]:
    _, rows, columns = tower.size
    yield "+-" * columns + "+"
    for row in range(1, rows + 1):
        cells = [Cell(level, row, column) for column in range(1, columns + 1)]
        sides = [_side(tower, cell, cell._replace(column=cell.column + 1), used, "|") for cell in cells]
        floors = [_side(tower, cell, cell._replace(row=row + 1), used, "-") for cell in cells]
        yield "|" + "".join(_sign(tower, cell, way) + side for cell, side in zip(cells, sides, strict=True))
        yield "".join("+" + floor for floor in floors) + "+"


def _side(tower: Tower, cell: Cell, other: Cell, used: set[frozenset[Cell]], wall: str) -> str:
    if other not in _around(cell, tower.size) or not tower.is_open(cell, other):
        return wall
    return "." if frozenset((cell, other)) in used else " "


def _sign(tower: Tower, cell: Cell, way: Sequence[Cell]) -> str:
    if cell in way[:1] or cell in way[-1:]:
        return "S" if cell in way[:1] else "E"
    levels = {other.level - cell.level for other in tower.neighbours(cell)}
    if levels & {1, -1}:
        return "x" if {1, -1} <= levels else "v" if 1 in levels else "^"
    return "." if cell in way else " "


def _cells(size: Cell) -> Iterator[Cell]:
    for level in range(1, size.level + 1):
        for row in range(1, size.row + 1):
            for column in range(1, size.column + 1):
                yield Cell(level, row, column)


def _around(cell: Cell, size: Cell) -> list[Cell]:
    """Return the cells next to this one, doors ignored."""
    level, row, column = cell
    sides = [
        Cell(level - 1, row, column), Cell(level, row - 1, column), Cell(level, row, column + 1),
        Cell(level, row + 1, column), Cell(level, row, column - 1), Cell(level + 1, row, column),
    ]  # fmt: skip
    return [
        side for side in sides
        if 1 <= side.level <= size.level and 1 <= side.row <= size.row and 1 <= side.column <= size.column
    ]  # fmt: skip


def _came_from(tower: Tower, start: Cell) -> dict[Cell, Cell]:
    """Return for each reachable cell the one before it on a shortest way; for the start, itself."""
    came_from, queue = {start: start}, deque([start])
    while queue:
        cell = queue.popleft()
        for other in tower.neighbours(cell):
            if other not in came_from:
                came_from[other] = cell
                queue.append(other)
    return came_from
