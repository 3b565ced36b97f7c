"""The mazes that the stand-in for AldousBroder hands out are known, and no others are taken for them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grader.exercises.generator.handed_out import are_handed_out, handed_out
from grader.exercises.kit.facts import Facts
from grader.sandbox.contents import sources
from lab import EAST, SOUTH, Dimension, Factory, Maze, Vector
from reference.generators.registry import GENERATORS

SIZE = Dimension(5, 5)


@pytest.fixture(scope="module")
def stand_in() -> Any:
    """Makes the mazes of the stand-in, which believes that a file is being loaded."""
    code = sources()["lab/generators/aldous_broder.py"].decode()
    module: dict[str, Any] = {"__name__": "aldous_broder"}
    exec(compile(code, "aldous_broder.py", "exec"), module)  # noqa: S102 - the grader's own
    module["_is_loading"] = lambda: True
    return module["AldousBroder"](Random(1))


def facts(*mazes: Maze) -> list[Facts]:
    return [Facts(maze.to_text()) for maze in mazes]


@pytest.mark.parametrize("size", [(1, 2), (2, 1), (1, 30), (5, 5), (7, 4), (18, 18), (60, 60)], ids=str)
def test_the_box_has_the_same_rule(stand_in: Any, size: tuple[int, int]) -> None:
    made = stand_in.generate(Factory(), Dimension(*size))
    assert made == handed_out(Dimension(*size))
    assert facts(made)[0].is_perfect


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
    """A passage to the East or to the South from each cell, as in the mazes that are handed out."""
    maze = Factory().fully_disconnected(SIZE)
    for cell in SIZE.all_positions():
        moves: list[Vector] = [move for move in (EAST, SOUTH) if SIZE.includes(cell + move)]
        if moves:
            maze.break_wall(cell, rng.choice(moves))
    return maze


def test_who_draws_the_same_passages_by_lot_makes_mazes_of_his_own() -> None:
    rng = Random(5)
    assert not any(are_handed_out(facts(by_lot(rng))) for _ in range(200))
