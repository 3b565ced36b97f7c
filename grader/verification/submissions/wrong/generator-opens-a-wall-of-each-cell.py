from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for cell in dimension.all_positions():
            moves = maze.moves_at(cell)
            if moves:
                maze.break_wall(cell, self.rng.choice(moves))
        return maze
