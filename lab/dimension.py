"""How many rows and columns a maze has."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from lab.vector import Vector


@dataclass(frozen=True, slots=True)
class Dimension:
    """A grid of ``row_count`` x ``column_count`` cells; at least one of each (ValueError)."""

    row_count: int
    column_count: int

    def __post_init__(self) -> None:
        for name in ("row_count", "column_count"):
            count = getattr(self, name)
            if type(count) is not int:
                raise TypeError(f"{name}: expected a whole number, got {count!r}")
            if count < 1:
                raise ValueError(f"{name}: expected at least 1, got {count}")

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

    def __str__(self) -> str:
        return f"{self.row_count} x {self.column_count}"
