from lab import Generator
from lab.vector import MOVES


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        component = {cell: [cell] for cell in dimension.all_positions()}
        missing = dimension.position_count - 1
        while missing:
            cell = dimension.random_position(self.rng)
            move = MOVES[self.rng.randrange(4)]
            if not dimension.includes(cell + move):
                continue
            here, there = component[cell], component[cell + move]
            if here is there:
                continue
            if len(here) < len(there):
                here, there = there, here
            here.extend(there)
            for other in there:
                component[other] = here
            maze.break_wall(cell, move)
            missing -= 1
        return maze
