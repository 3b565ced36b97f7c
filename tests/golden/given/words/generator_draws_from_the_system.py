import secrets

from lab import EAST, SOUTH, Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for cell in dimension.all_positions():
            ways = [move for move in (EAST, SOUTH) if move in maze.moves_at(cell)]
            if ways:
                maze.break_wall(cell, secrets.choice(ways))
        return maze
