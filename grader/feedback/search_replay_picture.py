"""Draw a script of calls on a Search: one frame per call, one frame visible at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from grader.feedback.search_replay import Difference, SearchState
from lab import Vector
from lab.render.board import CELL, EDGE, MARGIN

MOST_ROWS = 12
"""Scripts whose cells span more rows or columns are not drawn."""
_HALF = CELL // 2


def can_draw(moments: Sequence[SearchState], difference: Difference) -> bool:
    """Return whether there is anything to draw, and all of it fits."""
    cells = list(_all_cells(moments, difference))
    return bool(cells) and all(last - first < MOST_ROWS for first, last in _window(cells))


def draw(moments: Sequence[SearchState], difference: Difference, label: str) -> str:
    """Draw the state after each call and, at the last one, the expected and actual result."""
    rows, columns = _window(_all_cells(moments, difference))
    picture = _Picture(Vector(rows[0], columns[0]), rows[1] - rows[0] + 1, columns[1] - columns[0] + 1)
    frames = "".join(
        picture.frame(moment, difference if moment is moments[-1] else None) for moment in moments
    )
    return picture.compose(frames, label)


def format_cells(cells: Iterable[Vector]) -> str:
    """Format cells as the page's script reads them."""
    return "|".join(f"({cell.row}, {cell.column})" for cell in cells)


class _Picture:
    """A part of the grid, with the pixel positions of its cells."""

    def __init__(self, corner: Vector, row_count: int, column_count: int) -> None:
        self._corner, self._rows, self._columns = corner, row_count, column_count

    def compose(self, frames: str, label: str) -> str:
        """Return the SVG of the frames, above the grid and its numbers."""
        width, height = self._columns * CELL, self._rows * CELL
        lines = [f"M{MARGIN} {MARGIN + CELL * row}h{width}" for row in range(self._rows + 1)]
        lines += [f"M{MARGIN + CELL * column} {MARGIN}v{height}" for column in range(self._columns + 1)]
        whole = MARGIN + width + EDGE, MARGIN + height + EDGE
        return (
            f'<svg role="img" class="search" viewBox="0 0 {whole[0]} {whole[1]}" '
            f'width="{round(1.5 * whole[0])}" aria-label="{escape(label)}" data-frames>'
            f'<rect class="floor" x="{MARGIN}" y="{MARGIN}" width="{width}" height="{height}"/>'
            f'<g class="edge">{"".join(self._numbers())}</g>{frames}'
            f'<path class="grid" d="{"".join(lines)}"/></svg>'
        )

    def frame(self, moment: SearchState, difference: Difference | None) -> str:
        """Return the frame after one call; only the last one shows a difference and is visible at first."""
        cells = "".join(self._cell(cell, moment) for cell in moment.known)
        arrows = "".join(self._arrow(cell, known.move) for cell, known in moment.known.items() if known.move)
        numbers = "".join(self._number(cell, known.distance) for cell, known in moment.known.items())
        return (
            f'<g class="frame" data-told="{escape(moment.call)}" '
            f'data-pending="{format_cells(moment.pending)}"'
            f'{" hidden" if difference is None else ""}>{cells}<path class="arrows" d="{arrows}"/>'
            f"{'' if difference is None else self._draw_difference(difference)}{numbers}</g>"
        )

    def _numbers(self) -> Iterator[str]:
        for row in range(self._rows):
            yield f'<text x="12" y="{MARGIN + CELL * row + 24}">{self._corner.row + row}</text>'
        for column in range(self._columns):
            yield f'<text x="{MARGIN + CELL * column + 20}" y="16">{self._corner.column + column}</text>'

    def _position(self, cell: Vector) -> tuple[int, int]:
        down, right = cell.row - self._corner.row, cell.column - self._corner.column
        return MARGIN + CELL * right, MARGIN + CELL * down

    def _cell(self, cell: Vector, moment: SearchState) -> str:
        x, y = self._position(cell)
        kind = "p" if cell in moment.pending else "v"
        now = " now" if cell == moment.about else ""
        return f'<g class="{kind}{now}" transform="translate({x} {y})"><use href="#c"/></g>'

    def _arrow(self, cell: Vector, move: Vector) -> str:
        """Return the path of an arrow into the cell from its predecessor."""
        x, y = (corner + _HALF for corner in self._position(cell))
        right, down = move.column, move.row
        x, y = x - 13 * right, y - 13 * down
        wings = (
            (-6 * right - 4 * down, -6 * down - 4 * right),
            (-6 * right + 4 * down, -6 * down + 4 * right),
        )
        (one_x, one_y), (other_x, other_y) = wings
        return (
            f"M{x - 14 * right} {y - 14 * down}L{x} {y}"
            f"M{x + one_x} {y + one_y}L{x} {y}L{x + other_x} {y + other_y}"
        )

    def _number(self, cell: Vector, distance: int) -> str:
        x, y = self._position(cell)
        return f'<text class="distance" x="{x + _HALF}" y="{y + _HALF}">{distance}</text>'

    def _draw_difference(self, difference: Difference) -> str:
        ways = (("expected-way", difference.due_way, -9), ("actual-way", difference.came_way, 9))
        drawn = "".join(
            f'<path class="way {name}" d="{self._line(way, by)}"/>' for name, way, by in ways if way
        )
        cells = (("due", difference.due), ("came", difference.came))
        return drawn + "".join(self._mark(name, cell) for name, cell in cells if cell is not None)

    def _mark(self, name: str, cell: Vector) -> str:
        x, y = self._position(cell)
        return f'<rect class="{name}" x="{x + 3}" y="{y + 3}" width="34" height="34" rx="3"/>'

    def _line(self, way: Sequence[Vector], by: int) -> str:
        middles = (tuple(corner + _HALF + by for corner in self._position(cell)) for cell in way)
        return "M" + "L".join(f"{x} {y}" for x, y in middles)


def _all_cells(moments: Sequence[SearchState], difference: Difference) -> Iterator[Vector]:
    for moment in moments:
        yield from moment.known
    yield from (*difference.due_way, *difference.came_way)
    yield from (cell for cell in (difference.due, difference.came) if cell is not None)


def _window(cells: Iterable[Vector]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the range of rows, and that of columns, each as first and last."""
    rows, columns = zip(*cells, strict=True)
    return (min(rows), max(rows)), (min(columns), max(columns))
