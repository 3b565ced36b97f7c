from lab import Dimension, Factory
from lab.generators import AldousBroder


def stops(rng):
    cases = []
    for number in range(12):
        size = Dimension(3 + number % 4, 3 + number % 5)
        maze = AldousBroder(rng).generate(Factory(), size)
        found = rng.sample(size.all_positions(), 4)
        cases.append({"maze": maze, "stops": found, "other": {*rng.sample(size.all_positions(), 2)}})
    return cases
