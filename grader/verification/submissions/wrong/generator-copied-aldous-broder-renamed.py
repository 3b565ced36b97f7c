"""The generator that students are given: a random walk."""

from __future__ import annotations

from lab.dimension import Dimension
from lab.factory import Factory
from lab.generator import Generator
from lab.maze import Maze


class MyGenerator(Generator):
    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Return a perfect maze of that dimension (ValueError for fewer than two cells)."""
        maze = factory.fully_disconnected(dimension)
        position = dimension.random_position(self.rng)
        seen = {position}
        while len(seen) < dimension.position_count:
            moves = maze.moves_at(position)
            move = moves[int(self.rng.random() * len(moves))]
            neighbour = position + move
            if neighbour not in seen:
                maze.break_wall(position, move)
                seen.add(neighbour)
            position = neighbour
        return maze
