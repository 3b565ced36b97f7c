from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        self.carve(maze, maze.entry, {maze.entry})
        return maze

    def carve(self, maze, cell, seen):
        moves = list(maze.moves_at(cell))
        self.rng.shuffle(moves)
        for move in moves:
            if cell + move not in seen:
                seen.add(cell + move)
                maze.break_wall(cell, move)
                yield from self.carve(maze, cell + move, seen)
        yield cell
