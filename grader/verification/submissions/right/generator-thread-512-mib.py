import sys
import threading

from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        sys.setrecursionlimit(10**6)
        threading.stack_size(512 * 1024 * 1024)
        maze = factory.fully_disconnected(dimension)
        thread = threading.Thread(target=self.carve, args=(maze, maze.entry, set()))
        thread.start()
        thread.join()
        return maze

    def carve(self, maze, cell, seen):
        seen.add(cell)
        moves = list(maze.moves_at(cell))
        self.rng.shuffle(moves)
        for move in moves:
            if cell + move not in seen:
                maze.break_wall(cell, move)
                self.carve(maze, cell + move, seen)
