import pytest
from hypothesis import given

from lab import Dimension, Factory
from tests.lab.drawn import ROOMY


@given(ROOMY)
def test_a_fully_connected_maze_has_no_inner_walls(dimension: Dimension) -> None:
    maze = Factory().fully_connected(dimension)
    assert maze.dimension == dimension
    assert all(maze.valid_moves_at(cell) == maze.moves_at(cell) for cell in dimension.all_positions())


@given(ROOMY)
def test_a_fully_disconnected_maze_has_all_walls(dimension: Dimension) -> None:
    maze = Factory().fully_disconnected(dimension)
    assert maze.dimension == dimension
    assert all(maze.valid_moves_at(cell) == () for cell in dimension.all_positions())


@given(ROOMY)
def test_the_entry_is_the_first_cell_and_the_exit_the_last(dimension: Dimension) -> None:
    for maze in (Factory().fully_connected(dimension), Factory().fully_disconnected(dimension)):
        assert (maze.entry, maze.exit) == ((1, 1), (dimension.row_count, dimension.column_count))


def test_one_cell_is_refused() -> None:
    for make in (Factory().fully_connected, Factory().fully_disconnected):
        with pytest.raises(ValueError, match="expected a dimension of two cells or more"):
            make(Dimension(1, 1))


def test_every_maze_is_one_of_its_own() -> None:
    first, second = (Factory().fully_connected(Dimension(2, 2)) for _ in range(2))
    first.build_wall((1, 1), (0, 1))
    assert second.is_clear((1, 1), (0, 1))
