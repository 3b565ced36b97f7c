"""Mazes for properties, arbitrary or perfect, each shown as the lines that make it again."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from lab import Dimension, Factory, Maze
from lab.generators import AldousBroder
from lab.graph import from_passages, grid_neighbours, passages

SAMPLE = """\
+-+-+-+-+-+
|S|       |
+ + +-+ + +
|   | | | |
+ + + + +-+
| | | | | |
+ +-+ + + +
| |       |
+ +-+-+-+ +
| |      E|
+-+-+-+-+-+"""

DIMENSIONS = st.builds(Dimension, st.integers(1, 7), st.integers(1, 7))
ROOMY = DIMENSIONS.filter(lambda dimension: dimension.position_count > 1)


@st.composite
def _lines(draw: st.DrawFn) -> list[str]:
    dimension = draw(DIMENSIONS)
    cells = dimension.all_positions()
    neighbours = grid_neighbours(dimension)
    edges = [(cell, other) for cell in cells for other in neighbours(cell) if cell < other]
    flags = draw(st.lists(st.booleans(), min_size=len(edges), max_size=len(edges)))
    entry = draw(st.sampled_from(cells))
    exit_ = draw(st.sampled_from([None, *(cell for cell in cells if cell != entry)]))
    opened = [edge for edge, flag in zip(edges, flags, strict=True) if flag]
    return from_passages(opened, dimension, ends=(entry, exit_)).to_text().split("\n")


@st.composite
def _lines_with_costs(draw: st.DrawFn) -> list[str]:
    maze = Maze(draw(_lines()))
    for here, there in sorted(passages(maze)):
        maze.break_wall(here, (there.row - here.row, there.column - here.column), draw(st.integers(1, 9)))
    return maze.to_text().split("\n")


@st.composite
def _perfect_lines(draw: st.DrawFn) -> list[str]:
    maze = AldousBroder(Random(draw(st.integers(0, 999)))).generate(Factory(), draw(ROOMY))
    return maze.to_text().split("\n")


def mazes() -> st.SearchStrategy[Maze]:
    """Draw any maze: walls, entry and exit anywhere, or no exit."""
    return st.builds(Maze, _lines())


def mazes_with_costs() -> st.SearchStrategy[Maze]:
    """Draw any maze, whose steps cost 1 to 9."""
    return st.builds(Maze, _lines_with_costs())


def perfect_mazes() -> st.SearchStrategy[Maze]:
    """Draw a perfect maze with an exit in the last cell."""
    return st.builds(Maze, _perfect_lines())
