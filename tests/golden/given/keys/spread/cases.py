from lab import Dimension, Factory
from lab.generators import AldousBroder


def sources(rng):
    cases = []
    for number in range(12):
        size = Dimension(3 + number % 4, 3 + number % 5)
        maze = AldousBroder(rng).generate(Factory(), size)
        costs = {tuple(cell): rng.randint(1, 9) for cell in size.all_positions()}
        cases.append({"maze": maze, "costs": costs, "start": size.random_position(rng), "size": (2, 2)})
    return cases
