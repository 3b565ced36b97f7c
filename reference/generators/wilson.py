"""Wilson's algorithm: walks with their loops erased, each until it meets the tree.

Source: D. B. Wilson, "Generating random spanning trees more quickly than the cover time" (STOC
1996). Every perfect maze is as likely as any other, as with Aldous-Broder, but the last cells need
no long search: it is what other generators are measured against.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from lab import MOVES, Dimension, Factory, Generator, Maze
from lab.graph import Passage, carve


class Wilson(Generator):
    """A uniformly random perfect maze."""

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Return a perfect maze of that dimension (ValueError for fewer than two cells)."""
        maze = factory.fully_disconnected(dimension)
        carve(maze, uniform_tree(dimension, self.rng))
        return maze


def uniform_tree(dimension: Dimension, rng: Random) -> Iterator[Passage]:
    """Yield the passages of a uniformly random spanning tree of the grid.

    Cells are numbers, row by row: the walks take many steps, and numbers are quick to add.
    """
    ways, cells = _ways(dimension), dimension.all_positions()
    in_tree = bytearray(len(cells))
    in_tree[int(rng.random() * len(cells))] = True
    left_to = [0] * len(cells)  # leaving a cell again erases the loop that led back to it
    for start in range(len(cells)):
        cell = start
        while not in_tree[cell]:
            choices = ways[cell]
            left_to[cell] = cell = cell + choices[int(rng.random() * len(choices))]
        cell = start
        while not in_tree[cell]:
            in_tree[cell] = True
            yield cells[cell], cells[left_to[cell]]
            cell = left_to[cell]


def _ways(dimension: Dimension) -> list[tuple[int, ...]]:
    """Return for each cell what to add to its number to get each of its neighbours."""
    rows, columns = dimension.row_count, dimension.column_count

    def ways(row: int, column: int) -> tuple[int, ...]:
        moves = (move for move in MOVES if dimension.includes((row + move.row, column + move.column)))
        return tuple(move.row * columns + move.column for move in moves)

    def of_row(row: int) -> list[tuple[int, ...]]:
        inner = [ways(row, 2)] * (columns - 2)
        return [ways(row, 1), *inner, ways(row, columns)] if columns > 1 else [ways(row, 1)]

    return [choices for row in range(1, rows + 1) for choices in of_row(row)]
