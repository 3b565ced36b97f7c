from random import Random

from lab import EAST, SOUTH, Generator

DICE = Random()


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for cell in dimension.all_positions():
            ways = [move for move in (EAST, SOUTH) if move in maze.moves_at(cell)]
            if ways:
                maze.break_wall(cell, self.one_of(ways))
        return maze

    def one_of(self, ways):
        return DICE.choice(ways)
