from lab import Dimension, Factory, Vector


def pairs(rng):
    """Draw two mazes, each with a cell that is in it alone, and one that is in both."""
    made = Factory().fully_connected
    return [
        {
            "first": made(Dimension(2, 5)),
            "second": made(Dimension(4, 2)),
            "key": Vector(1, rng.randint(3, 5)),
            "door": Vector(rng.randint(3, 4), 2),
            "both": Vector(1, 1),
        }
        for _ in range(6)
    ]
