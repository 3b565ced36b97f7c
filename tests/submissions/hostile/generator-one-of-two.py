from lab import Generator, EAST, SOUTH


class MyGenerator(Generator):
    """One of two combs."""

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        upright = self.rng.random() < 0.5
        for cell in dimension.all_positions():
            along, across = (SOUTH, EAST) if upright else (EAST, SOUTH)
            if dimension.includes(cell + along):
                maze.break_wall(cell, along)
            if dimension.includes(cell + across) and (cell.row if upright else cell.column) == 1:
                maze.break_wall(cell, across)
        return maze
