"""A maze as an SVG picture, as the lab draws it: numbered along the top and the left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from lab.costs import has_costs
from lab.dimension import Dimension
from lab.maze import Maze
from lab.render import costs
from lab.render.colours import ENTRY, EXIT, NUMBER, PAPER, SOLUTION, WALL
from lab.render.strokes import Stroke, middles, walls
from lab.vector import Vector

CELL = 30
MARGIN = 30
"""Room for the numbers at the top and on the left, in pixels."""
EDGE = 6
"""Room on the other sides."""
_NUMBERED, _EVERY = 50, 5
"""Where there are at most 50 rows or columns each has a number, beyond that every fifth."""


def to_svg(maze: Maze, *, solution: Sequence[Vector] | None = None, title: str | None = None) -> str:
    """Draw the maze, its entry ``S``, its exit ``E`` and the solution as a dashed green line."""
    size = maze.dimension
    width, height = picture_size(maze)
    parts = [
        *opening(width, height, title or f"A maze of {size} cells", description(maze, solution)),
        *numbers(size),
        f'<path d="{path(walls(maze))}" fill="none" stroke="{WALL}" stroke-width="2" '
        'stroke-linecap="square"/>',
    ]
    if solution:
        parts.append(
            f'<polyline points="{line(maze.entry, solution)}" fill="none" stroke="{SOLUTION}" '
            'stroke-width="4" stroke-dasharray="8 5" stroke-linejoin="round"/>'
        )
    return "\n".join([*parts, *priced(maze), *marks(maze), "</svg>"]) + "\n"


def picture_size(maze: Maze) -> tuple[int, int]:
    """Return the width and the height of the picture of such a maze, in pixels; costs have a legend below."""
    width, height = MARGIN + CELL * maze.dimension.column_count + EDGE, _legend_from(maze)
    return (
        (max(width, costs.LEGEND_WIDTH), height + costs.LEGEND_HEIGHT) if has_costs(maze) else (width, height)
    )


def priced(maze: Maze) -> Iterator[str]:
    """Yield what steps cost, on the openings, and the legend below."""
    if has_costs(maze):
        yield costs.drawn(maze, cell=CELL, margin=MARGIN)
        yield costs.legend(maze, x=EDGE, y=_legend_from(maze))


def _legend_from(maze: Maze) -> int:
    return MARGIN + CELL * maze.dimension.row_count + EDGE


def opening(width: float, height: float, title: str, text: str) -> list[str]:
    """Return the first lines of a picture: its size, its description for screen readers, a white ground."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f"<title>{clean(title)}</title>",
        f"<desc>{clean(text)}</desc>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]


def clean(text: str) -> str:
    """Return the text as XML content, replacing characters that XML does not allow."""
    shown = (sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return escape("".join(shown), quote=False)


def description(maze: Maze, solution: Sequence[Vector] | None) -> str:
    """Say in words what the picture shows."""
    exit_ = f"the exit in {_cell(maze.exit)}" if maze.exit is not None else "no exit"
    said = f"A maze of {maze.dimension} cells, the entry in {_cell(maze.entry)}, {exit_}."
    if solution:
        moves = "1 move" if len(solution) == 1 else f"{len(solution)} moves"
        said += f" A dashed green line of {moves} leads from the entry to "
        end = maze.entry
        for move in solution:
            end = end + move
        said += "the exit." if maze.is_exit(end) else f"{_cell(end)}."
    return f"{said} {costs.told(maze)}".rstrip()


def path(strokes: Iterator[Stroke]) -> str:
    """Return the strokes as the data of an SVG path."""
    return "".join(
        f"M{_x(x1)} {_x(y1)}h{(x2 - x1) * CELL}" if y1 == y2 else f"M{_x(x1)} {_x(y1)}v{(y2 - y1) * CELL}"
        for x1, y1, x2, y2 in strokes
    )


def line(start: Vector, moves: Sequence[Vector]) -> str:
    """Return the middles of the cells on a way as the points of an SVG polyline."""
    return " ".join(f"{_x(x):g},{_x(y):g}" for x, y in middles(start, moves))


def numbers(size: Dimension) -> Iterator[str]:
    """Yield the numbers of the columns along the top and of the rows along the left."""
    yield (
        f'<g font-family="sans-serif" font-size="{CELL * 0.4:g}" fill="{NUMBER}" text-anchor="middle" '
        'dominant-baseline="central" aria-hidden="true">'
    )
    for column in _numbered(size.column_count):
        yield f'<text x="{_x(column - 0.5):g}" y="{MARGIN / 2:g}">{column}</text>'
    for row in _numbered(size.row_count):
        yield f'<text x="{MARGIN / 2:g}" y="{_x(row - 0.5):g}">{row}</text>'
    yield "</g>"


def marks(maze: Maze) -> Iterator[str]:
    """Yield S in the entry and E in the exit."""
    for letter, position, colour in (("S", maze.entry, ENTRY), ("E", maze.exit, EXIT)):
        if position is not None:
            x, y = _x(position.column - 0.5), _x(position.row - 0.5)
            yield (
                f'<g aria-hidden="true"><circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.36:g}" fill="{PAPER}"/>'
                f'<text x="{x:g}" y="{y:g}" font-family="sans-serif" font-weight="bold" '
                f'font-size="{CELL * 0.6:g}" fill="{colour}" text-anchor="middle" '
                f'dominant-baseline="central">{letter}</text></g>'
            )


def _x(corner: float) -> float:
    return MARGIN + corner * CELL


def _numbered(count: int) -> range:
    return range(1, count + 1) if count <= _NUMBERED else range(_EVERY, count + 1, _EVERY)


def _cell(position: Vector) -> str:
    return f"({position.row}, {position.column})"
