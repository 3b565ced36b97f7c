import importlib

from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        joined = importlib.import_module("generators.joined")
        maze = factory.fully_disconnected(dimension)
        groups = joined.Groups(dimension.all_positions())
        walls = [(cell, move) for cell in dimension.all_positions() for move in maze.moves_at(cell)]
        self.rng.shuffle(walls)
        for cell, move in walls:
            if groups.join(cell, cell + move):
                maze.break_wall(cell, move)
        return maze
