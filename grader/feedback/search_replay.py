"""A script of calls on Search, step by step, in text and as a picture.

The calls and their results are texts in results.json. A script that cannot be replayed from its first call,
for example because a long one was shortened, is not drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from grader.feedback.example import Example, ScriptLine
from lab import MOVES, Vector
from lab.render.board import CELL, EDGE, MARGIN

_CALL = re.compile(r"(?P<search>search|other_search_\d{1,3})\.(?P<method>\w+)(?:\((?P<arguments>.*)\))?")
_CELL = re.compile(r"\((-?\d{1,9}), (-?\d{1,9})\)")
_NAMED = {move.name: move for move in MOVES}
_MOVE = re.compile("|".join(_NAMED), re.IGNORECASE)
_TAKES = ("first_pending", "last_pending", "closest_pending")
_ASKS = ("distance_to", "moves_to", "has_pending_cells", "known_cells")


@dataclass(frozen=True, slots=True)
class CellNote:
    """What a search knows about a cell: its distance, and the move that led to it."""

    distance: int
    move: Vector | None


@dataclass(frozen=True, slots=True)
class SearchState:
    """What a search knows after a call."""

    search: str
    call: str
    about: Vector | None
    """The call's argument, or the cell that it returned."""
    known: dict[Vector, CellNote]
    pending: tuple[Vector, ...]
    """The pending cells in the order in which they were found."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The last call's expected and actual result, as far as they can be drawn."""

    due: Vector | None = None
    """The expected cell."""
    came: Vector | None = None
    """The returned cell."""
    due_way: tuple[Vector, ...] = ()
    """The cells on the expected way."""
    came_way: tuple[Vector, ...] = ()
    """The cells on the actual way."""


NOTHING = Difference()


def shown_steps(example: Example) -> list[tuple[ScriptLine, ScriptLine | None]]:
    """Return the calls up to the one that differs, each with its expected and actual result."""
    expected, actual = example.expected.steps, example.actual.steps
    last = len(expected) if example.parting_step is None else example.parting_step + 1
    return [(step, actual[n] if n < len(actual) else None) for n, step in enumerate(expected[:last])]


def replay_calls(steps: Sequence[ScriptLine]) -> list[SearchState]:
    """Return a correct Search's state after each call; empty if a call cannot be replayed."""
    searches: dict[str, SearchState] = {}
    moments: list[SearchState] = []
    for step in steps:
        found = _CALL.fullmatch(step.call)
        if found is None:
            return []
        before = searches.get(found["search"], SearchState(found["search"], "", None, {}, ()))
        after = _state_after(before, step, found)
        if after is None:
            return []
        searches[after.search] = after
        moments.append(after)
    return moments


def find_difference(step: ScriptLine, came: ScriptLine | None, last: SearchState) -> Difference:
    """Return the drawable difference between the last call's expected and actual result."""
    gives = (step.gives, came.gives if came is not None else "")
    start = last.about
    if ".moves_to(" in step.call and start is not None:
        due, other = (_moves(given) for given in gives)
        for move in due:
            start = start + move.opposite()
        return Difference(due_way=_cells_along(start, due), came_way=_cells_along(start, other))
    method = step.call.partition(".")[2].partition("(")[0]
    due_cell, came_cell = (_cell(given) for given in gives) if method in _TAKES else (None, None)
    return Difference(due_cell, came_cell)


def _state_after(before: SearchState, step: ScriptLine, found: re.Match[str]) -> SearchState | None:
    """Return the state after a call; None if the call is not in the Search's contract."""
    method, arguments = found["method"], found["arguments"] or ""
    cells, moves = _cells(arguments), _moves(arguments)
    known, pending, about = dict(before.known), before.pending, cells[-1] if cells else None
    if method == "mark_as_pending" and len(cells) == 1:
        known[cells[0]] = CellNote(0, None)
        pending = pending if cells[0] in pending else (*pending, cells[0])
    elif method == "record" and len(cells) == 2 and len(moves) == 1 and cells[0] in known:
        pending = pending if about in known else (*pending, cells[1])
        known[cells[1]] = _better(known.get(cells[1]), CellNote(known[cells[0]].distance + 1, moves[0]))
    elif method in _TAKES and not cells:
        about = _cell(step.gives)
        pending = tuple(cell for cell in pending if cell != about)
    elif method not in _ASKS:
        return None
    return SearchState(before.search, step.call, about, known, pending)


def _better(old: CellNote | None, new: CellNote) -> CellNote:
    return new if old is None or new.distance < old.distance else old


def _cells(text: str) -> list[Vector]:
    return [Vector(int(row), int(column)) for row, column in _CELL.findall(text)]


def _cell(text: str) -> Vector | None:
    return _cells(text)[0] if _CELL.fullmatch(text) else None


def _moves(text: str) -> list[Vector]:
    return [_NAMED[name.lower()] for name in _MOVE.findall(text)]


def _cells_along(start: Vector, moves: Sequence[Vector]) -> tuple[Vector, ...]:
    """Return the cells along the moves; none if there are no moves."""
    cells = [start]
    for move in moves:
        cells.append(cells[-1] + move)
    return tuple(cells) if moves else ()


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
