from lab import NORTH, WEST, Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for cell in dimension.all_positions():
            side = self.rng.choice([NORTH, WEST])
            if dimension.includes(cell + side):
                maze.break_wall(cell, side)
        return maze
