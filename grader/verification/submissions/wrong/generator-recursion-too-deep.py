import inspect
import sys

from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        sys.setrecursionlimit(len(inspect.stack()) + 500)
        self.maze, self.visited = factory.fully_disconnected(dimension), set()
        self.carve(self.maze.entry)
        return self.maze

    def carve(self, position):
        self.visited.add(position)
        moves = list(self.maze.moves_at(position))
        self.rng.shuffle(moves)
        for move in moves:
            if position + move not in self.visited:
                self.maze.break_wall(position, move)
                self.carve(position + move)
