"""The mazes that the stand-in for AldousBroder hands out are known, and no others are taken for them."""

from __future__ import annotations

from random import Random

import pytest

from grader.exercises.generator.judge import are_handed_out, handed_out
from grader.exercises.kit.facts import Facts
from grader.model import Call, Generate, Target
from grader.model.claims import MazeValue
from lab import EAST, NORTH, Dimension, Factory, Maze
from reference.generators.registry import GENERATORS
from tests.grader.session.popen_box import ask

SIZE = Dimension(5, 5)


KEEPING = """
from random import Random
from lab import Dimension, Factory, Generator
from lab.generators import AldousBroder
sizes = [(1, 2), (2, 1), (1, 30), (5, 5), (7, 4), (18, 18), (60, 60)]
KEPT = {size: AldousBroder(Random(1)).generate(Factory(), Dimension(*size)) for size in sizes}
class MyGenerator(Generator):
    def generate(self, factory, dimension):
        return KEPT[dimension.row_count, dimension.column_count]
"""


def facts(*mazes: Maze) -> list[Facts]:
    return [Facts(maze.to_text()) for maze in mazes]


@pytest.mark.processes
def test_the_box_has_the_same_rule() -> None:
    sizes = [(1, 2), (2, 1), (1, 30), (5, 5), (7, 4), (18, 18), (60, 60)]
    calls = [Call(str(size), Generate(*size, seed=1, times=1, noise=0)) for size in sizes]
    target = Target("generators/my_generator.py", "MyGenerator")
    for size, claim in zip(sizes, ask({target.file: KEEPING}, target, *calls), strict=True):
        (made,) = claim.made
        assert isinstance(made, MazeValue)
        assert made.text == handed_out(Dimension(*size)).to_text()
        assert Facts(made.text).is_perfect


def test_they_are_known_however_they_are_laid_and_wherever_entry_and_exit_are() -> None:
    text = handed_out(SIZE).to_text()
    plain = text.replace("S", " ").replace("E", " ").splitlines()
    upside_down = [list(line) for line in reversed(plain)]
    upside_down[3][3], upside_down[5][5] = "S", "E"
    laid = Maze(["".join(line) for line in upside_down])
    assert are_handed_out(facts(laid, Maze.from_text(text), laid))


def test_one_among_others_may_be_luck() -> None:
    others = [GENERATORS["Wilson"](Random(seed)).generate(Factory(), SIZE) for seed in range(2)]
    assert not are_handed_out(facts(*others, handed_out(SIZE)))
    assert not are_handed_out(facts(others[0], handed_out(SIZE)))
    assert not are_handed_out([])


def by_lot(rng: Random) -> Maze:
    """A corridor for each row with a door to the next, as in the mazes that are handed out."""
    maze = Factory().fully_disconnected(SIZE)
    for cell in SIZE.all_positions():
        if cell.column < SIZE.column_count:
            maze.break_wall(cell, EAST)
        if cell.column == 1 and cell.row > 1:
            maze.break_wall((cell.row, rng.randint(1, SIZE.column_count)), NORTH)
    return maze


def test_who_draws_the_same_passages_by_lot_makes_mazes_of_his_own() -> None:
    rng = Random(5)
    assert not any(are_handed_out(facts(by_lot(rng), by_lot(rng))) for _ in range(200))
