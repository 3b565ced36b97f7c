"""Make a maze smaller by removing a row or a column."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from grader.exercises.kit.cases.grid import IS, Cell, Grid, Parts, Shape, Side, read, shape_of


def simpler(text: str, kind: str) -> Iterator[str]:
    """Yield smaller mazes of the same kind as texts, the smallest first, each once."""
    grid = read(text)
    for turned in (False, True) if grid.columns >= grid.rows else (True, False):
        for less, shape in dict(_less(grid, turned)).items():
            if IS[kind](shape):
                yield less.text()


def _less(grid: Grid, turned: bool) -> Iterator[tuple[Grid, Shape]]:
    """Yield the mazes with one row less, or one column less if the maze is ``turned``."""
    flat = _turned(grid) if turned else grid
    for row in range(flat.rows if flat.rows > 1 else 0):
        for less, shape in _without_row(flat, row):
            yield _turned(less) if turned else less, shape


def _without_row(grid: Grid, row: int) -> Iterator[tuple[Grid, Shape]]:
    """Yield the mazes without the row.

    What it joined stays joined, or is closed; parts stay apart, or are joined again.
    """
    rows = grid.rows - 1
    kept = {_moved(side, row) for side in grid.passages if row not in (side[0][0], side[1][0])}
    above, below = (
        {one[1] for one, other in grid.passages if (one[0], other[0]) == (at, at + 1)}
        for at in (row - 1, row)
    )
    ends = [*product(_places(grid.entry, row, rows), _places(grid.exit, row, rows))]
    for through in (above & below, above | below) if 0 < row < rows else (set[int](),):
        across = {((row - 1, column), (row, column)) for column in through}
        ways = [*_joined(Grid(rows, grid.columns, frozenset(kept | across), (0, 0), None))]
        for entry, exit_ in ends:
            if entry != exit_ and entry is not None:
                for each, parts in ways:
                    less = each._replace(entry=entry, exit=exit_)
                    yield less, shape_of(less, parts)


def _moved(side: Side, row: int) -> Side:
    """Move a side up if it is below the row."""
    (r1, c1), (r2, c2) = side
    return (r1 - (r1 > row), c1), (r2 - (r2 > row), c2)


def _places(cell: Cell | None, row: int, rows: int) -> list[Cell | None]:
    """Return where an entry or exit can go: from the row itself, to the row before or after it."""
    if cell is None:
        return [None]
    at, column = cell
    if at != row:
        return [(at - (at > row), column)]
    return [(place, column) for place in (row - 1, row) if 0 <= place < rows]


def _joined(grid: Grid) -> Iterator[tuple[Grid, Parts]]:
    """Yield the grid, then the grid with the fewest passages that join all parts, chosen first or last."""
    yield grid, (parts := grid.parts())
    if parts.count > 1:
        for sides in (grid.sides, grid.sides[::-1]):
            parts = grid.parts()
            more = [side for side in sides if parts.join(*side)]
            yield grid._replace(passages=grid.passages.union(more)), parts


def _turned(grid: Grid) -> Grid:
    """Exchange rows and columns."""
    return Grid(
        grid.columns,
        grid.rows,
        frozenset((one[::-1], other[::-1]) for one, other in grid.passages),
        grid.entry[::-1],
        grid.exit[::-1] if grid.exit is not None else None,
    )
