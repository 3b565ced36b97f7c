"""The result of an experiment: a table, as text and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

Cell = str | float


@dataclass(frozen=True, slots=True)
class Table:
    """Column names, and rows of as many cells; the first cell names its row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def column(self, name: str) -> list[Cell]:
        """Return the cells of a column, from top to bottom."""
        index = self.columns.index(name)
        return [row[index] for row in self.rows]

    def to_text(self) -> str:
        """Format the table in aligned columns, numbers on the right."""
        written = [self.columns, *([_rounded(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*written, strict=True)]
        return "\n".join(_aligned(row, widths) for row in written)

    def to_csv(self) -> str:
        """Format the table as CSV, with a line of names first and numbers in full."""
        text = StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.columns, *self.rows])
        return text.getvalue()


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    name, *numbers = (
        text.rjust(width) if place else text.ljust(width)
        for place, (text, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([name, *numbers]).rstrip()


def _rounded(cell: Cell) -> str:
    return f"{cell:.1f}" if isinstance(cell, float) else str(cell)
