from lab import Generator, MOVES


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        cell = dimension.random_position(self.rng)
        left = set(dimension.all_positions()) - {cell}
        while left:
            move = MOVES[int(self.rng.random() * 4)]
            if not dimension.includes(cell + move):
                continue
            if cell + move in left:
                maze.break_wall(cell, move)
                left.remove(cell + move)
            cell = cell + move
        return maze
