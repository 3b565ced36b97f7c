"""Recognises cells in the data of a student's code: only what clearly means one cell counts.

Cells are represented by their number, row by row from 0; pairs of numbers that are neither a cell of the maze
nor a move, by their text. Nothing here calls a student's method.
"""

from __future__ import annotations

from typing import Any

from lab.maze import Maze
from lab.steps import attributes, is_pair
from lab.vector import MOVES, Vector
from lab.way import cell_text

Cell = int | str

_PAIRS = (tuple, Vector)
_MOVES = frozenset(MOVES)


class CellNumbering:
    """The cells of one maze, and the values that stand for them."""

    def __init__(self, maze: Maze) -> None:
        self.numbers: dict[tuple[int, int], int] = {
            cell: number for number, cell in enumerate(maze.dimension.all_positions())
        }
        self.entry = self.numbers[maze.entry]
        self._columns = maze.dimension.column_count

    def plain(self, value: object) -> Cell | None:
        """Return the cell at a position; None for a move, and for everything that is no position."""
        if not is_pair(value):
            return None
        number = self.numbers.get(value)
        return number if number is not None or value in _MOVES else cell_text(value)

    def of(self, item: object) -> Cell | None:
        """Return the one cell that an item means: a position, what holds one position, or the end of a
        way."""
        if (cell := self.plain(item)) is not None:
            return cell
        if type(item) in _PAIRS:
            return self._only(item)
        if type(item) is list:
            cells = [self.plain(part) for part in item]
            return cells[-1] if cells and None not in cells else None
        held = attributes(item)
        return self._only(held.values()) if held else None

    def parent(self, cell: int, value: object) -> int | None:
        """Return the neighbour from which, by this value, a cell was found; the cell itself where a way
        begins."""
        if value is None:
            return cell
        if is_pair(value) and value in _MOVES:
            return self._before(cell, value)
        found = self.plain(value)
        if found is None and type(value) is tuple:
            found = self._only(value)
            moves = [part for part in value if is_pair(part) and part in _MOVES]
            if found is None and len(moves) == 1:
                return self._before(cell, moves[0])
        if found is None and type(value) is list and value and self.plain(value[-1]) == cell:
            found = self.plain(value[-2]) if len(value) > 1 else cell
        return found if isinstance(found, int) and self._are_near(cell, found) else None

    def _only(self, parts: Any) -> Cell | None:
        found = [cell for part in parts if (cell := self.plain(part)) is not None]
        return found[0] if len(found) == 1 else None

    def _before(self, cell: int, move: tuple[int, int]) -> int | None:
        row, column = divmod(cell, self._columns)
        return self.numbers.get((row + 1 - move[0], column + 1 - move[1]))

    def _are_near(self, one: int, other: int) -> bool:
        (row, column), (row_2, column_2) = divmod(one, self._columns), divmod(other, self._columns)
        return abs(row - row_2) + abs(column - column_2) <= 1
