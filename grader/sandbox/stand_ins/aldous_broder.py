"""Replaces the generator that students are given; its code stays outside."""

from __future__ import annotations

from collections.abc import Callable

from lab.dimension import Dimension
from lab.factory import Factory
from lab.generator import Generator
from lab.maze import Maze

makers: list[Callable[[Factory, Dimension], Maze]] = []
"""Makes mazes: set by the runner while files are loaded, and removed before the first call."""


class AldousBroderNotAvailable(RuntimeError):  # noqa: N818 - known outside by this name
    """MyGenerator called AldousBroder instead of doing the work itself."""

    def __init__(self) -> None:
        super().__init__("AldousBroder is given: MyGenerator has to make the maze itself")


class AldousBroder(Generator):
    """Makes no mazes here, except for code that tries itself out while it is loaded."""

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """While files load, make one maze per dimension; in a call, raise AldousBroderNotAvailable."""
        if not makers:
            raise AldousBroderNotAvailable
        return makers[0](factory, dimension)
