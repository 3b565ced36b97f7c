"""A maze as graphs: cells and passages as nodes and edges, alone or beside the graph of the barriers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lab.dimension import Dimension
from lab.maze import Maze
from lab.render.colours import ENTRY, EXIT, GROUND, NODE, PAPER, SOLUTION, WALL
from lab.render.strokes import walls
from lab.render.svg import CELL, MARGIN, description, line, numbers, opening, path, picture_size, priced
from lab.vector import EAST, SOUTH, Vector

_NODE, _CORNER = 10, 6
"""The diameter of a cell's node, and of a corner's, in pixels."""
_END = 10
"""The radius of the nodes of entry and exit."""


def to_graph_svg(maze: Maze, *, solution: Sequence[Vector] | None = None, title: str | None = None) -> str:
    """Draw each cell as a node and each passage as an edge; walls are faint, the solution is dashed."""
    size = maze.dimension
    parts = [
        *opening(*picture_size(maze), title or f"The graph of a maze of {size} cells", _told(maze, solution)),
        *numbers(size),
        *_barriers(maze, colour=GROUND),
        *_cells(maze, solution),
        *priced(maze),
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def to_two_graphs_svg(
    maze: Maze, *, solution: Sequence[Vector] | None = None, title: str | None = None
) -> str:
    """Draw Moler's two graphs side by side: corners joined by barriers, and cells joined by passages."""
    size = maze.dimension
    width, height = picture_size(maze)
    said = (
        f"On the left the graph of the barriers: {_corner_count(size)} corners as nodes, walls as edges. "
        f"On the right the graph of the cells. {_told(maze, solution)}"
    )
    parts = [
        *opening(2 * width, height, title or f"Two graphs of a maze of {size} cells", said),
        *numbers(size),
        *_barriers(maze, colour=WALL),
        _corners(size),
        f'<g transform="translate({width} 0)">',
        *numbers(size),
        *_cells(maze, solution),
        *priced(maze),
        "</g>",
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _told(maze: Maze, solution: Sequence[Vector] | None) -> str:
    cells, edges = maze.dimension.position_count, _edges(maze).count("L")
    joined = "1 passage" if edges == 1 else f"{edges} passages"
    return f"{cells} cells as nodes, {joined} as edges. {description(maze, solution)}"


def _corner_count(size: Dimension) -> int:
    return (size.row_count + 1) * (size.column_count + 1)


def _barriers(maze: Maze, *, colour: str) -> Iterator[str]:
    yield (
        f'<path d="{path(walls(maze))}" fill="none" stroke="{colour}" stroke-width="2" '
        'stroke-linecap="square"/>'
    )


def _corners(size: Dimension) -> str:
    rows, columns = range(size.row_count + 1), range(size.column_count + 1)
    middles = ((MARGIN + CELL * column, MARGIN + CELL * row) for row in rows for column in columns)
    return _nodes(middles, diameter=_CORNER, colour=WALL)


def _nodes(middles: Iterable[tuple[int, int]], *, diameter: int, colour: str) -> str:
    """Return the nodes as strokes of no length with round ends."""
    data = "".join(f"M{x} {y}h0" for x, y in middles)
    return f'<path d="{data}" stroke="{colour}" stroke-width="{diameter}" stroke-linecap="round"/>'


def _cells(maze: Maze, solution: Sequence[Vector] | None) -> Iterator[str]:
    """Yield the edges, the way along them, and the nodes on top."""
    yield f'<path d="{_edges(maze)}" fill="none" stroke="{NODE}" stroke-width="2"/>'
    if solution:
        yield (
            f'<polyline points="{line(maze.entry, solution)}" fill="none" stroke="{SOLUTION}" '
            'stroke-width="5" stroke-dasharray="8 5"/>'
        )
    middles = ((_x(cell), _y(cell)) for cell in maze.dimension.all_positions())
    yield _nodes(middles, diameter=_NODE, colour=NODE)
    for letter, position, colour in (("S", maze.entry, ENTRY), ("E", maze.exit, EXIT)):
        if position is not None:
            yield (
                f'<g aria-hidden="true"><circle cx="{_x(position)}" cy="{_y(position)}" r="{_END}" '
                f'fill="{colour}"/><text x="{_x(position)}" y="{_y(position)}" font-family="sans-serif" '
                f'font-weight="bold" font-size="13" fill="{PAPER}" text-anchor="middle" '
                f'dominant-baseline="central">{letter}</text></g>'
            )


def _edges(maze: Maze) -> str:
    """Return a line for each passage, from its northern or western cell to the other."""
    return "".join(
        f"M{_x(cell)} {_y(cell)}L{_x(cell + move)} {_y(cell + move)}"
        for cell in maze.dimension.all_positions()
        for move in (EAST, SOUTH)
        if maze.is_valid_at(cell, move)
    )


def _x(cell: Vector) -> int:
    return MARGIN + CELL * cell.column - CELL // 2


def _y(cell: Vector) -> int:
    return MARGIN + CELL * cell.row - CELL // 2
