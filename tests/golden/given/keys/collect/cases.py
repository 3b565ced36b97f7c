from lab import Dimension, Factory
from lab.generators import AldousBroder


def keys(rng):
    """Draw mazes, each with a cell anywhere in it."""
    cases = []
    for number in range(20):
        size = Dimension(2 + number % 4, 3 + number % 5)
        maze = AldousBroder(rng).generate(Factory(), size)
        cases.append({"maze": maze, "key": size.random_position(rng)})
    return cases
