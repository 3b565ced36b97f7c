from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        cell = self.rng.choice(dimension.all_positions())
        left = set(dimension.all_positions()) - {cell}
        while left:
            move = self.rng.choice(maze.moves_at(cell))
            if cell + move in left:
                maze.break_wall(cell, move)
                left.remove(cell + move)
            cell = cell + move
        return maze
