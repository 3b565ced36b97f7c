"""A maze: a grid of cells, some of them joined, with an entry and perhaps an exit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Self

from lab import maze_format
from lab.dimension import Dimension
from lab.maze_format import EAST_BIT, NORTH_BIT, SOUTH_BIT, WEST_BIT, MazeFormatError, ParsedMaze
from lab.vector import EAST, MOVES, NORTH, SOUTH, WEST, Vector

if TYPE_CHECKING:
    from pathlib import Path

_BIT: Final = {NORTH: NORTH_BIT, EAST: EAST_BIT, SOUTH: SOUTH_BIT, WEST: WEST_BIT}
_MOVES_OF: Final = tuple(tuple(move for move in MOVES if bits & _BIT[move]) for bits in range(16))

Position = tuple[int, int]


class Maze:
    """A maze as text describes it; a cell is a node, an opening between two cells an edge.

    Positions may be given as vectors or as plain tuples. A position outside of the grid, or a
    direction that is none of the four moves, is refused with ValueError.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        """Read the lines of a maze. Raises MazeFormatError (a ValueError) with line and column."""
        self._fill(maze_format.parse(lines))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read a maze from text, as ``to_text`` writes it. Raises MazeFormatError."""
        return cls(maze_format.lines_of(text))

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a maze from a text file. Raises OSError, or MazeFormatError."""
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib takes long to import
            content = file.read()
        try:
            return cls.from_text(content.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            column = error.start - content.rfind(b"\n", 0, error.start)
            found = f"the byte 0x{content[error.start]:02x}"
            if content.startswith((b"\xff\xfe", b"\xfe\xff")):
                found = "UTF-16, as PowerShell's > writes it"
            raise MazeFormatError(line, column, found, "text (UTF-8)") from None

    def _fill(self, grid: ParsedMaze) -> None:
        self._row_count, self._column_count, self._openings, self._costs, self._entry, self._exit = grid
        self._dimension = Dimension(grid.row_count, grid.column_count)

    # --- what the maze is -----------------------------------------------------------------------

    @property
    def dimension(self) -> Dimension:
        """The number of rows and columns."""
        return self._dimension

    @property
    def entry(self) -> Vector:
        """The cell to start from."""
        return self._entry

    @property
    def exit(self) -> Vector | None:
        """The cell to reach; None where the maze has no exit."""
        return self._exit

    def has_exit(self) -> bool:
        """Tell whether the maze has an exit (it may still be out of reach)."""
        return self._exit is not None

    def is_exit(self, position: Position) -> bool:
        """Tell whether the position is the exit."""
        return position == self._exit

    # --- moving about ---------------------------------------------------------------------------

    def moves_at(self, position: Position) -> tuple[Vector, ...]:
        """Return a tuple of the moves that stay inside the grid, walls ignored, in N-E-S-W order."""
        self._index(position)
        row, column = position
        return _MOVES_OF[
            (row > 1) | (column < self._column_count) << 1 | (row < self._row_count) << 2 | (column > 1) << 3
        ]

    def valid_moves_at(self, position: Position) -> tuple[Vector, ...]:
        """Return a tuple of the moves that stay inside the grid and cross no wall, in N-E-S-W order."""
        row, column = position
        if 1 <= row <= self._row_count and 1 <= column <= self._column_count:
            return _MOVES_OF[self._openings[(row - 1) * self._column_count + column - 1]]
        raise self._outside(position)

    def is_valid_at(self, position: Position, move: Position) -> bool:
        """Tell whether the move stays inside the grid and crosses no wall."""
        return self._is_open(position, move)

    def is_wall(self, position: Position, direction: Position) -> bool:
        """Tell whether a wall stands on that side of the cell; the border is a wall."""
        return not self._is_open(position, direction)

    def is_clear(self, position: Position, direction: Position) -> bool:
        """Tell whether that side of the cell is open."""
        return self._is_open(position, direction)

    def cost_of(self, position: Position, move: Position) -> int:
        """Return what the step costs, 1 to 9, the same in both directions. Raises ValueError at a wall."""
        if self._is_open(position, move):
            return self._costs.get(16 * self._index(position) + self._bit(move), 1)
        name = Vector(*move).name
        raise ValueError(f"expected a step that is open, got {name} from {tuple(position)}: a wall is there")

    # --- building -------------------------------------------------------------------------------

    def build_wall(self, position: Position, direction: Position) -> None:
        """Close that side of the cell. Raises ValueError for the outer border."""
        here, there, bit, back = self._sides(position, direction)
        self._openings[here] &= ~bit
        self._openings[there] &= ~back
        for step in (16 * here + bit, 16 * there + back):
            self._costs.pop(step, None)

    def break_wall(self, position: Position, direction: Position, cost: int = 1) -> None:
        """Open that side of the cell, for steps of that cost.

        Raises ValueError for the outer border, and for a cost that is not a whole number from 1 to 9.
        """
        if not isinstance(cost, int) or not 1 <= cost <= 9:
            raise ValueError(f"expected a cost from 1 to 9, got {cost!r}")
        here, there, bit, back = self._sides(position, direction)
        self._openings[here] |= bit
        self._openings[there] |= back
        for step in (16 * here + bit, 16 * there + back):
            if cost > 1:
                self._costs[step] = cost
            else:
                self._costs.pop(step, None)

    def copy(self) -> Self:
        """Return a maze of its own with the same content."""
        twin = object.__new__(type(self))
        Maze._fill(twin, self._grid())
        return twin

    def to_text(self) -> str:
        """Write the maze as text; ``Maze.from_text`` reads it back."""
        return maze_format.write(self._grid())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Maze):
            return NotImplemented
        return self._grid() == other._grid()

    __hash__ = None  # type: ignore[assignment]  # a maze changes, so it is no key

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return (
            f"<Maze {self._dimension}, entry {tuple(self._entry)}, exit {self._exit and tuple(self._exit)}>"
        )

    # --- inside ---------------------------------------------------------------------------------

    def _grid(self) -> ParsedMaze:
        """Return a copy of the content."""
        sides = self._openings[:], self._costs.copy()
        return ParsedMaze(self._row_count, self._column_count, *sides, self._entry, self._exit)

    def _index(self, position: Position) -> int:
        row, column = position
        if 1 <= row <= self._row_count and 1 <= column <= self._column_count:
            return (row - 1) * self._column_count + column - 1
        raise self._outside(position)

    def _is_open(self, position: Position, direction: Position) -> bool:
        return bool(self._openings[self._index(position)] & self._bit(direction))

    def _bit(self, direction: Position) -> int:
        try:
            return _BIT[direction]  # type: ignore[index]  # a plain tuple equals its vector
        except (KeyError, TypeError):
            raise ValueError(f"expected a move (NORTH, EAST, SOUTH or WEST), got {direction!r}") from None

    def _sides(self, position: Position, direction: Position) -> tuple[int, int, int, int]:
        """Return the indices of both cells at a wall, and the bit of the wall in each."""
        here, bit = self._index(position), self._bit(direction)
        neighbour = (position[0] + direction[0], position[1] + direction[1])
        if not self._dimension.includes(neighbour):
            name = Vector(*direction).name
            raise ValueError(f"the {name} side of {tuple(position)} is the outer border, which stays closed")
        return here, self._index(neighbour), bit, _BIT[Vector(-direction[0], -direction[1])]

    def _outside(self, position: Position) -> ValueError:
        return ValueError(
            f"expected a position inside the grid of {self._dimension} cells, "
            f"(1, 1) to ({self._row_count}, {self._column_count}), got {position!r}"
        )
