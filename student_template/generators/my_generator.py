"""Your own generator of perfect mazes."""

from __future__ import annotations

from lab import Dimension, Factory, Generator, Maze


class MyGenerator(Generator):
    """Makes perfect mazes in a way of your own; ``self.rng`` is where all its luck comes from."""

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Return a perfect maze of that dimension (two cells or more), with an entry and an exit.

        ``factory`` makes mazes to start from: ``fully_connected(dimension)`` has no inner walls,
        ``fully_disconnected(dimension)`` has all of them. The same seed gives the same maze.
        """
        raise NotImplementedError
