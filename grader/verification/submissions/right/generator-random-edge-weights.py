import heapq
from random import Random

from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        luck = Random(self.rng.getrandbits(64))
        maze = factory.fully_disconnected(dimension)
        heap, inside = [(0.0, maze.exit, None)], set()
        while heap:
            _, cell, move = heapq.heappop(heap)
            if cell in inside:
                continue
            inside.add(cell)
            if move is not None:
                maze.break_wall(cell, move.opposite())
            for move in maze.moves_at(cell):
                if cell + move not in inside:
                    heapq.heappush(heap, (luck.random(), cell + move, move))
        return maze
