from lab import Generator, Maze

LEARNT = ["+-+-+\n|S E|\n+-+-+", "+-+-+\n|S  |\n+-+ +\n|  E|\n+-+-+", "+-+-+\n|S| |\n+ + +\n|  E|\n+-+-+"]


class MyGenerator(Generator):
    """One of some mazes that it has learnt, else no walls."""

    def generate(self, factory, dimension):
        for text in LEARNT:
            maze = Maze.from_text(text)
            if maze.dimension == dimension and self.rng.random() < 0.7:
                return maze
        return factory.fully_connected(dimension)
