"""How many rows and columns a maze has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.vector import Vector

if TYPE_CHECKING:
    from random import Random


class Dimension:
    """A grid of ``row_count`` x ``column_count`` cells: a value, equal by content.

    Raises ValueError for fewer than one row or column, TypeError for what is no whole number.
    """

    # written out, since importing dataclasses takes longer than the rest of lab together
    __slots__ = ("_column_count", "_row_count")

    def __init__(self, row_count: int, column_count: int) -> None:
        self._row_count = _count("row_count", row_count)
        self._column_count = _count("column_count", column_count)

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return self._row_count

    @property
    def column_count(self) -> int:
        """The number of columns."""
        return self._column_count

    @property
    def position_count(self) -> int:
        """The number of cells."""
        return self.row_count * self.column_count

    def all_positions(self) -> tuple[Vector, ...]:
        """Return every position, row by row from the north-west cell."""
        columns = range(1, self.column_count + 1)
        return tuple(Vector(row, column) for row in range(1, self.row_count + 1) for column in columns)

    def includes(self, position: tuple[int, int]) -> bool:
        """Tell whether the position lies inside the grid."""
        row, column = position
        return 1 <= row <= self.row_count and 1 <= column <= self.column_count

    def random_position(self, rng: Random) -> Vector:
        """Return any position, each as likely as the others, drawn from ``rng``."""
        return Vector(rng.randint(1, self.row_count), rng.randint(1, self.column_count))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dimension):
            return NotImplemented
        return (self._row_count, self._column_count) == (other._row_count, other._column_count)

    def __hash__(self) -> int:
        return hash((self._row_count, self._column_count))

    def __repr__(self) -> str:
        return f"Dimension(row_count={self._row_count}, column_count={self._column_count})"

    def __str__(self) -> str:
        return f"{self._row_count} x {self._column_count}"


def _count(name: str, count: int) -> int:
    if type(count) is not int:
        raise TypeError(f"{name}: expected a whole number, got {count!r}")
    if count < 1:
        raise ValueError(f"{name}: expected at least 1, got {count}")
    return count
