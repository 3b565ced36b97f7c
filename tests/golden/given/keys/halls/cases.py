from lab import Dimension, Factory, Vector


def long(rng):
    """Draw halls that are too long for letters, and rooms whose numbers are too long."""
    cases = []
    for rows, columns in ((2, 3), (1, 31), (3, 4), (2, 32)):
        maze = Factory().fully_connected(Dimension(rows, columns))
        doors = [Vector(1, rng.randint(1, columns)), Vector(rows, rng.randint(1, columns))]
        toll = {(1, 1): rng.randint(1000, 9999), (rows, columns): 0.125}
        cases.append({"maze": maze, "doors": doors, "toll": toll})
    return cases
