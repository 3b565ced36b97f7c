from lab import EAST, SOUTH, Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        self.above = {cell: cell for cell in dimension.all_positions()}
        walls = [(cell, move) for cell in self.above for move in (EAST, SOUTH) if cell + move in self.above]
        self.rng.shuffle(walls)
        for cell, move in walls:
            one, other = self.root(cell), self.root(cell + move)
            if one != other:
                maze.break_wall(cell, move)
                self.above[one] = other
        return maze

    def root(self, cell):
        return self.above[cell]
