from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        self.maze = factory.fully_disconnected(dimension)
        self.visited = set()
        self.carve(self.maze.entry)
        return self.maze

    def carve(self, position):
        self.visited.add(position)
        moves = self.maze.moves_at(position)
        for move in self.rng.sample(moves, len(moves)):
            if position + move not in self.visited:
                self.maze.break_wall(position, move)
                self.carve(position + move)
