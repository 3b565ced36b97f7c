"""Unlike AldousBroder, which walks about, this one grows a tree."""
from lab.generators.aldous_broder import AldousBroder
from lab import Generator


class MyGenerator(Generator):
    """Goes on into a cell that is new; goes back where there is none."""

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        trail = [dimension.random_position(self.rng)]
        visited = set(trail)
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


def compare():
    import random
    from lab import Dimension, Factory
    for kind in (AldousBroder, MyGenerator):
        print(kind(random.Random(1)).generate(Factory(), Dimension(4, 4)))


if __name__ == "__main__":
    compare()
