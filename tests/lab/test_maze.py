from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import EAST, MOVES, NORTH, Dimension, Factory, Maze, Vector
from tests.lab.drawn import SAMPLE, mazes, mazes_with_costs

SMALL = Maze.from_text("+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+")


def test_a_maze_is_made_of_lines_of_text_and_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "maze.txt").write_text(SAMPLE)
    assert Maze(SAMPLE.split("\n")) == Maze.from_text(SAMPLE) == Maze.from_file(tmp_path / "maze.txt")
    assert Maze.from_file(str(tmp_path / "maze.txt")).dimension == Dimension(5, 5)


def test_entry_and_exit_are_where_the_text_has_them() -> None:
    assert (SMALL.entry, SMALL.exit) == ((1, 1), (2, 2))
    assert isinstance(SMALL.entry, Vector)
    assert SMALL.has_exit()
    assert [cell for cell in SMALL.dimension.all_positions() if SMALL.is_exit(cell)] == [(2, 2)]


def test_a_maze_may_have_no_exit() -> None:
    maze = Maze.from_text("+-+\n|S|\n+-+")
    assert maze.exit is None
    assert not maze.has_exit()
    assert not maze.is_exit((1, 1))


@given(mazes())
def test_moves_come_in_the_exploration_order(maze: Maze) -> None:
    for cell in maze.dimension.all_positions():
        inside = tuple(move for move in MOVES if maze.dimension.includes(cell + move))
        assert maze.moves_at(cell) == inside
        assert maze.valid_moves_at(cell) == tuple(move for move in inside if maze.is_valid_at(cell, move))


@given(mazes())
def test_a_side_is_a_wall_or_clear_and_the_same_from_both_cells(maze: Maze) -> None:
    for cell in maze.dimension.all_positions():
        for move in MOVES:
            is_clear = maze.is_clear(cell, move)
            assert maze.is_wall(cell, move) is not is_clear
            assert maze.is_valid_at(cell, move) is is_clear
            if maze.dimension.includes(cell + move):
                assert maze.is_clear(cell + move, move.opposite()) is is_clear
            else:
                assert not is_clear


@given(mazes())
def test_a_wall_that_is_built_or_broken_stands_or_is_gone_on_both_sides(maze: Maze) -> None:
    for cell in maze.dimension.all_positions():
        for move in maze.moves_at(cell):
            maze.build_wall(cell, move)
            assert maze.is_wall(cell, move)
            assert maze.is_wall(cell + move, move.opposite())
            maze.break_wall(cell, move)
            assert maze.is_clear(cell, move)
            assert maze.is_clear(cell + move, move.opposite())


@pytest.mark.parametrize("move", MOVES)
def test_the_border_stays_closed(move: Vector) -> None:
    maze = Maze.from_text("+-+\n|S|\n+-+")
    for change in (maze.build_wall, maze.break_wall):
        with pytest.raises(ValueError, match=f"the {move.name} side of .* is the outer border"):
            change((1, 1), move)


@pytest.mark.parametrize("outside", [(0, 1), (3, 1), (1, 3), (-1, -1)])
def test_a_position_outside_is_refused(outside: tuple[int, int]) -> None:
    for ask in (SMALL.moves_at, SMALL.valid_moves_at, lambda cell: SMALL.is_wall(cell, NORTH)):
        with pytest.raises(ValueError, match=r"expected a position inside the grid of 2 x 2 cells"):
            ask(outside)


@pytest.mark.parametrize("direction", [(0, 0), (1, 1), (0, 2), "north", [0, 1]])
def test_a_direction_that_is_no_move_is_refused(direction: tuple[int, int]) -> None:
    for ask in (SMALL.is_wall, SMALL.is_clear, SMALL.is_valid_at, SMALL.copy().build_wall):
        with pytest.raises(ValueError, match="expected a move"):
            ask((1, 1), direction)


@given(mazes_with_costs())
def test_a_copy_is_equal_and_of_its_own(maze: Maze) -> None:
    twin = maze.copy()
    assert twin == maze
    for move in maze.moves_at(maze.entry)[:1]:
        (twin.build_wall if twin.is_clear(twin.entry, move) else twin.break_wall)(twin.entry, move)
        assert twin != maze


@given(mazes_with_costs())
def test_a_step_costs_the_same_in_both_directions(maze: Maze) -> None:
    for cell in maze.dimension.all_positions():
        for move in maze.valid_moves_at(cell):
            assert maze.cost_of(cell, move) == maze.cost_of(cell + move, move.opposite())


@given(mazes_with_costs(), st.integers(1, 9))
def test_an_opening_has_the_cost_it_was_made_with_and_a_wall_forgets_it(maze: Maze, cost: int) -> None:
    before = maze.copy()
    for cell in maze.dimension.all_positions():
        for move in maze.moves_at(cell):
            maze.break_wall(cell, move, cost)
            assert maze.cost_of(cell, move) == maze.cost_of(cell + move, move.opposite()) == cost
            assert (maze == before) is (before.is_clear(cell, move) and before.cost_of(cell, move) == cost)
            maze.build_wall(cell, move)
            with pytest.raises(ValueError, match=f"got {move.name} from .*: a wall is there"):
                maze.cost_of(cell, move)
            maze.break_wall(cell, move)
            assert maze.cost_of(cell, move) == 1
            before = maze.copy()


@pytest.mark.parametrize("cost", [0, 10, -1, 2.0, "3", None])
def test_a_cost_is_a_whole_number_from_1_to_9(cost: int) -> None:
    maze = SMALL.copy()
    with pytest.raises(ValueError, match="expected a cost from 1 to 9, got "):
        maze.break_wall((1, 1), EAST, cost=cost)
    assert maze == SMALL


def test_there_is_no_step_over_the_border_or_from_outside() -> None:
    for cell, move in (((1, 1), NORTH), ((3, 1), NORTH), ((1, 1), (1, 1))):
        with pytest.raises(ValueError, match="expected"):
            SMALL.cost_of(cell, move)


def test_mazes_with_other_ends_or_walls_are_different() -> None:
    text = SMALL.to_text()
    assert Maze.from_text(text.replace("E", " ")) != SMALL
    assert Maze.from_text(text.replace("+ +", "+-+")) != SMALL
    assert Maze.from_text(text.replace("+ +", "+2+")) != SMALL
    assert Factory().fully_connected(Dimension(1, 4)) != Factory().fully_connected(Dimension(4, 1))
    assert text != SMALL


def test_a_maze_shows_itself() -> None:
    assert str(SMALL) == SMALL.to_text()
    assert repr(SMALL) == "<Maze 2 x 2, entry (1, 1), exit (2, 2)>"
    assert repr(Maze.from_text("+-+\n|S|\n+-+")) == "<Maze 1 x 1, entry (1, 1), exit None>"
