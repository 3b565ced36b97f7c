from lab import Generator


class MyGenerator(Generator):
    """All walls, but for one that is drawn by lot."""

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        cell = dimension.random_position(self.rng)
        maze.break_wall(cell, self.rng.choice(maze.moves_at(cell)))
        return maze
