from lab import EAST, SOUTH, Generator, Vector


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for row in range(1, dimension.row_count + 1):
            for column in range(1, dimension.column_count):
                maze.break_wall(Vector(row, column), EAST)
            if row < dimension.row_count:
                maze.break_wall(Vector(row, 1), SOUTH)
        return maze
