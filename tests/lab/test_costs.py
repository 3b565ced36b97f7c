from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import EAST, NORTH, SOUTH, Maze
from lab.costs import costs_on, dear_steps, draw_costs, has_costs, open_more, read_costs, sum_text
from lab.graph import passages
from tests.lab.drawn import mazes, mazes_with_costs, perfect_mazes


@given(mazes_with_costs())
def test_each_step_that_costs_more_than_1_is_named_once(maze: Maze) -> None:
    found = [(cell, cell + move, cost) for cell, move, cost in dear_steps(maze)]
    assert found == [
        (here, there, cost)
        for here, there in sorted(passages(maze))
        if (cost := maze.cost_of(here, (there.row - here.row, there.column - here.column))) > 1
    ]
    assert has_costs(maze) == any(sign in "23456789" for sign in maze.to_text()) == bool(found)


@given(mazes(), st.integers(1, 9), st.integers(1, 9), st.integers())
def test_each_opening_is_given_a_cost_of_the_range_and_no_wall_goes(
    maze: Maze, one: int, other: int, seed: int
) -> None:
    costs, before = range(min(one, other), max(one, other) + 1), passages(maze)
    draw_costs(maze, costs, Random(seed))
    assert passages(maze) == before
    for here, there in before:
        assert maze.cost_of(here, (there.row - here.row, there.column - here.column)) in costs


@given(perfect_mazes(), st.integers(0, 90), st.integers())
def test_so_many_walls_are_opened_as_are_asked_for_and_there_are(maze: Maze, count: int, seed: int) -> None:
    before = passages(maze)
    opened = open_more(maze, count, Random(seed))
    assert passages(maze) >= before
    assert len(passages(maze)) == len(before) + opened
    assert opened == count or not open_more(maze, 1, Random(seed))


def test_a_way_costs_what_its_steps_cost() -> None:
    maze = Maze.from_text("+-+-+-+\n|S9  E|\n+ +-+ +\n| 2   |\n+-+-+-+")
    assert costs_on(maze, [EAST, EAST]) == [9, 1]
    assert costs_on(maze, [SOUTH, EAST, EAST, NORTH]) == [1, 2, 1, 1]
    assert [sum_text(costs) for costs in ([], [4], [9, 1], [1] * 13)] == ["0", "4", "9 + 1 = 10", "13"]


def test_a_range_of_costs_is_read_and_nothing_else() -> None:
    assert (read_costs("1-9"), read_costs("2-5"), read_costs("7")) == (range(1, 10), range(2, 6), range(7, 8))
    for wrong in ("", "-", "0-3", "1-10", "5-2", "1-", "-9", "1-9-9", "one", "\u0663"):
        with pytest.raises(ValueError, match="expected costs from 1 to 9"):
            read_costs(wrong)
