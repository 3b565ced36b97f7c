from itertools import pairwise, product
from random import Random

from lab import Dimension, Factory, Vector
from lab.graph import Passage, passages
from lab.render.film import film_generator
from reference.generators.recursive_division import RecursiveDivision


def first_wall(rows: int, columns: int, seed: int) -> tuple[str, int, int]:
    """The first wall of a maze: which way it runs, after which row or column, where its door is."""
    film = film_generator(RecursiveDivision(Random(seed)), Dimension(rows, columns), title="")
    walls = [(moment.cell, moment.wall) for moment in film.moments if moment.wall is not None]
    sides = [(cell + wall, wall.opposite()) for cell, wall in walls]
    if sides[0][1] == (1, 0):
        wall = {cell.column for cell, _ in sides[: columns - 1]}
        (door,) = set(range(1, columns + 1)) - wall
        return "row", sides[0][0].row, door
    wall = {cell.row for cell, _ in sides[: rows - 1]}
    (door,) = set(range(1, rows + 1)) - wall
    return "column", sides[0][0].column, door


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


def test_the_first_wall_stands_anywhere_and_its_door_is_in_every_place() -> None:
    seen = {first_wall(3, 5, seed) for seed in range(600)}
    rows = {("row", cut, door) for cut in (1, 2) for door in range(1, 6)}
    columns = {("column", cut, door) for cut in range(1, 5) for door in (1, 2, 3)}
    assert seen == rows | columns


def test_every_maze_that_straight_walls_can_make_is_made() -> None:
    generator = RecursiveDivision(Random(1))
    dimension = Dimension(3, 3)
    made = {passages(generator.generate(Factory(), dimension)) for _ in range(6000)}
    assert made == divided(1, 1, 3, 3)
