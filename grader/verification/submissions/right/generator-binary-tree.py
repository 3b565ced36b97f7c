from lab import NORTH, WEST, Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for cell in dimension.all_positions():
            choices = [move for move in (NORTH, WEST) if move in maze.moves_at(cell)]
            if choices:
                maze.break_wall(cell, self.rng.choice(choices))
        return maze
