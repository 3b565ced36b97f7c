import threading

from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        self.lock = threading.Lock()
        self.maze = factory.fully_disconnected(dimension)
        with self.lock:
            self.walk(dimension, (1, 1), set())
        return self.maze

    def walk(self, dimension, cell, seen):
        with self.lock:
            seen.add(cell)
        moves = list(self.maze.moves_at(cell))
        self.rng.shuffle(moves)
        for move in moves:
            if cell + move not in seen:
                self.maze.break_wall(cell, move)
                self.walk(dimension, cell + move, seen)
