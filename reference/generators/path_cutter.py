"""Smythe's path cutter: straight paths that turn now and then, each from somewhere on an earlier one.

Source: N. Smythe's maze program. A maze is kept as three matrices: the cells, explored or not, the
north-south doors (a row fewer) and the west-east doors (a column fewer); the four doors of a cell
follow from its row and column. A cutter goes straight ahead and opens doors to unexplored cells. It
turns left or right by chance, and when it is blocked; it stops when no side is free, or at a length
limit drawn for it. Then another one starts in any cell of any earlier path, until all is explored.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from lab import MOVES, NORTH, SOUTH, WEST, Dimension, Factory, Generator, Maze, Vector
from lab.graph import Doors, Passage, carve


class Cutting:
    """A maze in its author's form: matrices of cells and doors, opened as cutters pass through."""

    def __init__(
        self, row_count: int, column_count: int, rng: Random, *, turn_probability: float, length_limit: int
    ) -> None:
        self.explored = [[False] * column_count for _ in range(row_count)]
        self.doors = Doors(
            [[False] * column_count for _ in range(row_count - 1)],
            [[False] * (column_count - 1) for _ in range(row_count)],
        )
        self._rng = rng
        self._turn_probability, self._length_limit = turn_probability, length_limit
        self._paths: list[list[Vector]] = []

    def cut(self) -> Iterator[Passage]:
        """Open doors until every cell is explored, and yield each passage as it is made."""
        start = Vector(self._draw(len(self.explored)) + 1, self._draw(len(self.explored[0])) + 1)
        self._explore(start)
        self._paths.append([start])
        while (cell := self._branch()) is not None:
            yield from self._path(cell)

    def _path(self, cell: Vector) -> Iterator[Passage]:
        """Let one cutter run from that cell."""
        ahead = self._any(self._free_moves(cell))
        path = [cell]
        for _ in range(1 + self._draw(self._length_limit)):
            heading = self._heading(cell, ahead)
            if heading is None:
                break
            ahead = heading
            self._open(cell, ahead)
            previous, cell = cell, cell + ahead
            self._explore(cell)
            yield previous, cell
            path.append(cell)
        self._paths.append(path)

    def _heading(self, cell: Vector, ahead: Vector) -> Vector | None:
        """Return the cutter's next direction: ahead, or to a side by chance or if blocked; None if stuck."""
        sides = [side for side in _sides(ahead) if self._is_free(cell, side)]
        straight = self._is_free(cell, ahead)
        if sides and (not straight or self._rng.random() < self._turn_probability):
            return self._any(sides)
        return ahead if straight else None

    def _branch(self) -> Vector | None:
        """Return any cell of any path with an unexplored neighbour; forget cells without one."""
        while self._paths:
            number = self._draw(len(self._paths))
            path = self._paths[number]
            while path:
                place = self._draw(len(path))
                if self._free_moves(path[place]):
                    return path[place]
                path[place] = path[-1]
                path.pop()
            self._paths[number] = self._paths[-1]
            self._paths.pop()
        return None

    def _open(self, cell: Vector, move: Vector) -> None:
        """Open one of the four doors of a cell."""
        row, column = cell[0] - 1, cell[1] - 1
        if move in (NORTH, SOUTH):
            self.doors.north_south[row - (move == NORTH)][column] = True
        else:
            self.doors.west_east[row][column - (move == WEST)] = True

    def _explore(self, cell: Vector) -> None:
        self.explored[cell[0] - 1][cell[1] - 1] = True

    def _is_free(self, cell: Vector, move: Vector) -> bool:
        """Return whether the move leads into an unexplored cell; most of the time is spent here."""
        row, column = cell[0] - 1 + move[0], cell[1] - 1 + move[1]
        inside = 0 <= row < len(self.explored) and 0 <= column < len(self.explored[0])
        return inside and not self.explored[row][column]

    def _free_moves(self, cell: Vector) -> list[Vector]:
        return [move for move in MOVES if self._is_free(cell, move)]

    def _any(self, moves: list[Vector]) -> Vector:
        return moves[self._draw(len(moves))]

    def _draw(self, count: int) -> int:
        return int(self._rng.random() * count)


class PathCutter(Generator):
    """Smythe's maze: low turn probabilities give long straight corridors, high ones a tangle.

    ``turn_probability`` is the chance to turn where a side is free, from 0 to 1; ``length_limit`` is
    the most cells that one cutter explores: each draws its own limit from 1 to that number.
    """

    def __init__(self, rng: Random, *, turn_probability: float = 0.25, length_limit: int = 30) -> None:
        super().__init__(rng)
        if not 0 <= turn_probability <= 1:
            raise ValueError(f"turn_probability: expected a number from 0 to 1, got {turn_probability!r}")
        if length_limit < 1:
            raise ValueError(f"length_limit: expected at least 1, got {length_limit!r}")
        self.turn_probability, self.length_limit = turn_probability, length_limit

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Return a perfect maze of that dimension (ValueError for fewer than two cells)."""
        maze = factory.fully_disconnected(dimension)
        cutting = Cutting(
            dimension.row_count,
            dimension.column_count,
            self.rng,
            turn_probability=self.turn_probability,
            length_limit=self.length_limit,
        )
        carve(maze, cutting.cut())
        return maze


def _sides(ahead: Vector) -> tuple[Vector, Vector]:
    """Return the directions to the left and to the right."""
    return Vector(-ahead[1], ahead[0]), Vector(ahead[1], -ahead[0])
