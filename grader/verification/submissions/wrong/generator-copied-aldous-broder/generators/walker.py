"""The generator that students are given: a random walk."""

from __future__ import annotations

from lab.dimension import Dimension
from lab.factory import Factory
from lab.generator import Generator
from lab.maze import Maze


class AldousBroder(Generator):
    """Walks about at random until every cell was seen, and opens the wall to each new cell.

    Every perfect maze of the dimension is as likely as any other. Sources: D. Aldous, "The random
    walk construction of uniform spanning trees and uniform labelled trees" (SIAM Journal on
    Discrete Mathematics 3, 1990); A. Broder, "Generating random spanning trees" (FOCS 1989).
    """

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Return a perfect maze of that dimension (ValueError for fewer than two cells)."""
        maze = factory.fully_disconnected(dimension)
        position = dimension.random_position(self.rng)
        seen = {position}
        while len(seen) < dimension.position_count:
            moves = maze.moves_at(position)
            # random() is the one draw that gives the same numbers in every version of Python
            move = moves[int(self.rng.random() * len(moves))]
            neighbour = position + move
            if neighbour not in seen:
                maze.break_wall(position, move)
                seen.add(neighbour)
            position = neighbour
        return maze
