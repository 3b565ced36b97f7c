from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        cell = dimension.random_position(self.rng)
        left = set(dimension.all_positions()) - {cell}
        while left:
            moves = maze.moves_at(cell)
            move = moves[self.rng.randrange(len(moves))]
            if cell + move in left:
                maze.break_wall(cell, move)
                left.remove(cell + move)
            cell = cell + move
        return maze
