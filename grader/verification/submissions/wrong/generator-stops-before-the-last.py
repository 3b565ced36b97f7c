from lab import EAST, SOUTH, Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for row in range(1, dimension.row_count):
            for column in range(1, dimension.column_count):
                maze.break_wall((row, column), self.rng.choice((EAST, SOUTH)))
        return maze
