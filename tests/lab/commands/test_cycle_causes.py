"""How a generator came to make a cycle is told where it can be seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lab import Dimension, Factory, Maze
from lab.commands.cycle_causes import cause_of_cycle
from lab.vector import EAST, NORTH, SOUTH, WEST, Vector

SIZE = Dimension(2, 3)


def breaks_one_too_many(factory: Factory) -> Maze:
    maze = factory.fully_disconnected(SIZE)
    for cell, move in [((1, 1), EAST), ((1, 1), SOUTH), ((2, 2), WEST), ((2, 1), EAST), ((1, 3), SOUTH)]:
        maze.break_wall(cell, move)
    maze.break_wall((2, 2), NORTH)  # this one
    return maze


def breaks_on_a_copy(factory: Factory) -> Maze:
    maze = factory.fully_disconnected(SIZE).copy()
    for cell, move in [((1, 1), EAST), ((2, 1), EAST), ((1, 1), SOUTH)]:
        maze.break_wall(Vector(*cell), move)
    maze.break_wall((1, 2), SOUTH)
    return maze


def leaves_a_wall_out(factory: Factory) -> Maze:
    maze = factory.fully_connected(SIZE)
    maze.build_wall((1, 1), EAST)
    return maze


def builds_and_breaks(factory: Factory) -> Maze:
    maze = factory.fully_connected(SIZE)
    maze.build_wall((1, 1), EAST)
    maze.break_wall((1, 1), EAST)
    return maze


def builds_after_breaking(factory: Factory) -> Maze:
    maze = breaks_one_too_many(factory)
    maze.build_wall((1, 1), EAST)
    return maze


def makes_two(factory: Factory) -> Maze:
    factory.fully_disconnected(SIZE)
    return leaves_a_wall_out(factory)


def writes_a_text(_: Factory) -> Maze:
    return Factory().fully_connected(SIZE)


TOO_MANY = (
    "The wall between (2, 2) and (1, 2) was broken (line {line}: maze.break_wall((2, 2), NORTH)  # this one)"
)
ON_A_COPY = "The wall between (1, 2) and (2, 2) was broken (line {line}: maze.break_wall((1, 2), SOUTH))"
ALREADY = " when a way led from one to the other already."
LEFT_OUT = (
    "A perfect maze of 2 x 3 cells has 2 pieces of wall inside, this one 1: "
    "has each of your walls one door, and no other gap?"
)


@pytest.mark.parametrize(
    ("generate", "said"),
    [
        (breaks_one_too_many, TOO_MANY + ALREADY),
        (breaks_on_a_copy, ON_A_COPY + ALREADY),
        (leaves_a_wall_out, LEFT_OUT),
        (builds_and_breaks, ""),
        (builds_after_breaking, ""),
        (makes_two, ""),
        (writes_a_text, ""),
    ],
)
def test_the_cause_of_a_cycle_is_told(generate: Callable[[Factory], Maze], said: str) -> None:
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    code = said.partition(": ")[2].partition(ALREADY)[0].removesuffix(")")
    line = next((n for n, each in enumerate(lines, start=1) if each.strip() == code), 0)
    told = cause_of_cycle(Path(__file__).parent, generate, generate(Factory()))
    assert told == said.format(line=line)


def test_a_break_in_nobodys_file_is_told_without_its_line(tmp_path: Path) -> None:
    told = cause_of_cycle(tmp_path, breaks_one_too_many, breaks_one_too_many(Factory()))
    assert told == "The wall between (2, 2) and (1, 2) was broken" + ALREADY


def test_nothing_is_told_of_a_generator_that_makes_another_maze_or_fails() -> None:
    made = breaks_one_too_many(Factory())
    assert cause_of_cycle(Path(), leaves_a_wall_out, made) == ""
    assert cause_of_cycle(Path(), lambda factory: None, made) == ""
    assert cause_of_cycle(Path(), lambda factory: 1 / 0, made) == ""
