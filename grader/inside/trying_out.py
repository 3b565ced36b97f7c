"""What the stand-in for AldousBroder makes while files are loaded: code may try itself out there.

One maze a dimension, made by one loop: whoever keeps it has nothing that is worth more. Loading is over
before the first call begins, and what is imported later finds the stand-in refusing.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from lab.vector import EAST, NORTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lab.dimension import Dimension
    from lab.factory import Factory
    from lab.maze import Maze

_MAKERS: Final[list[Any]] = vars(import_module("lab.generators.aldous_broder"))["makers"]
"""Where the stand-in looks; a copy of it that is imported in a call has an empty list of its own."""


@contextmanager
def trying_out() -> Iterator[None]:
    """Let AldousBroder make mazes in this context, and refuse afterwards."""
    _MAKERS.append(_corridors)
    try:
        yield
    finally:
        _MAKERS.clear()


def _corridors(factory: Factory, dimension: Dimension) -> Maze:
    """Make a maze with a corridor for each row, and one door from each to the next."""
    maze, columns = factory.fully_disconnected(dimension), dimension.column_count
    for row, column in dimension.all_positions():
        if column < columns:
            maze.break_wall((row, column), EAST)
        if row > 1 and column == (7 * row * row + 3 * row) // 4 % columns + 1:
            maze.break_wall((row, column), NORTH)
    return maze
