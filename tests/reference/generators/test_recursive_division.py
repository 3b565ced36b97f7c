from itertools import pairwise, product
from random import Random

from lab import Dimension, Factory, Vector
from lab.graph import Passage, passages
from reference.generators.recursive_division import RecursiveDivision


def divided(top: int, left: int, height: int, width: int) -> set[frozenset[Passage]]:
    """Every maze of a room that walls with one door each can make, as its passages."""
    if height == 1 or width == 1:
        line = [Vector(top + i, left + j) for i in range(height) for j in range(width)]
        return {frozenset(pairwise(line))}
    found = set()
    for cut, door in product(range(1, height), range(width)):
        passage = (Vector(top + cut - 1, left + door), Vector(top + cut, left + door))
        halves = divided(top, left, cut, width), divided(top + cut, left, height - cut, width)
        found |= {north | south | {passage} for north, south in product(*halves)}
    for cut, door in product(range(1, width), range(height)):
        passage = (Vector(top + door, left + cut - 1), Vector(top + door, left + cut))
        halves = divided(top, left, height, cut), divided(top, left + cut, height, width - cut)
        found |= {west | east | {passage} for west, east in product(*halves)}
    return found


def test_every_maze_that_straight_walls_can_make_is_made() -> None:
    generator = RecursiveDivision(Random(1))
    dimension = Dimension(3, 3)
    made = {passages(generator.generate(Factory(), dimension)) for _ in range(6000)}
    assert made == divided(1, 1, 3, 3)
