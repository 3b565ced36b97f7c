from generators.trees import random_tree

from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for cell, move in random_tree(maze.entry, maze.moves_at, self.rng):
            maze.break_wall(cell, move)
        return maze
