from lab import EAST, SOUTH, Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        colour = {cell: number for number, cell in enumerate(dimension.all_positions())}
        walls = [(cell, move) for cell in colour for move in (EAST, SOUTH) if cell + move in colour]
        self.rng.shuffle(walls)
        for here, move in walls:
            there = here + move
            one, other = colour[here], colour[there]
            if one != other:
                maze.break_wall(here, move)
                colour[there] = one
        return maze
