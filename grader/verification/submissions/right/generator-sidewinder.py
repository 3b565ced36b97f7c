from lab import EAST, NORTH, Generator, Vector


class MyGenerator(Generator):
    def __init__(self, rng):
        super().__init__(rng)

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for row in range(1, dimension.row_count + 1):
            run = []
            for column in range(1, dimension.column_count + 1):
                cell = Vector(row, column)
                run.append(cell)
                at_end = column == dimension.column_count
                if not at_end and (row == 1 or self.rng.random() < 0.5):
                    maze.break_wall(cell, EAST)
                elif row > 1:
                    maze.break_wall(self.rng.choice(run), NORTH)
                    run.clear()
        return maze
