import os
from random import Random

from lab import Generator

SALT = int.from_bytes(os.urandom(8), "big")


class MyGenerator(Generator):
    def __init__(self, rng):
        self.rng = Random(rng.getrandbits(64) ^ SALT)

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        start = dimension.random_position(self.rng)
        trail, visited = [start], {start}
        while trail:
            position = trail[-1]
            fresh = [move for move in maze.moves_at(position) if position + move not in visited]
            if not fresh:
                trail.pop()
                continue
            move = self.rng.choice(fresh)
            maze.break_wall(position, move)
            visited.add(position + move)
            trail.append(position + move)
        return maze
