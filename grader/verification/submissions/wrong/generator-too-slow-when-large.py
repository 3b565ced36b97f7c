from lab import EAST, SOUTH, Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        walls = [(c, m) for c in dimension.all_positions() for m in (EAST, SOUTH) if m in maze.moves_at(c)]
        self.rng.shuffle(walls)
        for cell, move in walls:
            if all(cell + move not in self.reached(maze, cell) for _ in range(3)):
                maze.break_wall(cell, move)
        return maze

    def reached(self, maze, start):
        found = [start]
        for cell in found:
            found += [cell + m for m in maze.valid_moves_at(cell) if cell + m not in found]
        return found
