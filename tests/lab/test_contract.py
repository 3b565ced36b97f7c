"""The small values of the contract: vectors, dimensions, factories, and the public names."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lab
from lab import EAST, MOVES, NORTH, SOUTH, WEST, Dimension, Factory, Generator, Solver, Vector
from tests.lab.drawn import DIMENSIONS, ROOMY


def test_the_public_names_are_those_of_the_contract() -> None:
    assert set(lab.__all__) == {
        *("EAST", "MOVES", "NORTH", "SOUTH", "WEST", "Dimension", "Factory", "Generator"),
        *("Maze", "MazeFormatError", "Solver", "Vector"),
    }


@pytest.mark.parametrize(("base", "arguments"), [(Solver, ()), (Generator, (Random(1),))])
def test_the_bases_are_abstract(base: type, arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="abstract"):
        base(*arguments)


VECTORS = st.builds(Vector, st.integers(-99, 99), st.integers(-99, 99))


def test_the_moves_stand_in_the_exploration_order() -> None:
    assert MOVES == (NORTH, EAST, SOUTH, WEST) == ((-1, 0), (0, 1), (1, 0), (0, -1))


def test_the_moves_have_names() -> None:
    assert [move.name for move in MOVES] == ["north", "east", "south", "west"]


@given(VECTORS, VECTORS)
def test_vectors_add_row_by_row_and_column_by_column(a: Vector, b: Vector) -> None:
    assert a + b == (a.row + b.row, a.column + b.column)
    assert isinstance(a + b, Vector)


@given(VECTORS)
def test_the_opposite_leads_back(move: Vector) -> None:
    assert Vector(5, 5) + move + move.opposite() == (5, 5)


@given(VECTORS)
def test_a_vector_is_the_same_key_as_its_tuple(vector: Vector) -> None:
    assert vector == (vector.row, vector.column)
    known: dict[tuple[int, int], str] = {vector: "here"}
    assert known[(vector.row, vector.column)] == "here"


def test_plain_tuples_may_be_added_on_both_sides() -> None:
    east = (0, 1)
    assert Vector(1, 2) + east == (1, 3)
    assert isinstance(east + Vector(1, 2), Vector)


@pytest.mark.parametrize("other", [1, "ab", [1, 2], (1, 2, 3)])
def test_nothing_else_can_be_added(other: object) -> None:
    with pytest.raises(TypeError):
        _ = Vector(1, 2) + other


def test_the_positions_come_row_by_row() -> None:
    assert Dimension(2, 3).all_positions() == ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3))


@given(DIMENSIONS)
def test_the_positions_are_counted_and_inside(dimension: Dimension) -> None:
    positions = dimension.all_positions()
    assert isinstance(positions, tuple)
    assert len(positions) == dimension.position_count == dimension.row_count * dimension.column_count
    assert all(isinstance(position, Vector) and dimension.includes(position) for position in positions)


@pytest.mark.parametrize("outside", [(0, 1), (1, 0), (3, 1), (1, 4), (-1, -1)])
def test_what_lies_outside_is_not_included(outside: tuple[int, int]) -> None:
    assert not Dimension(2, 3).includes(outside)


def test_a_dimension_is_a_value() -> None:
    assert Dimension(2, 3) == Dimension(2, 3)
    assert len({Dimension(2, 3), Dimension(2, 3), Dimension(3, 2)}) == 2
    assert str(Dimension(2, 3)) == "2 x 3"


@pytest.mark.parametrize("counts", [(0, 1), (1, 0)])
def test_fewer_than_one_row_or_column_is_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="expected at least 1, got"):
        Dimension(*counts)


@pytest.mark.parametrize("counts", [(2.0, 1), (1, "2"), (True, 1)])
def test_what_is_no_whole_number_is_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(TypeError, match="expected a whole number"):
        Dimension(*counts)


def test_a_random_position_may_be_any_and_comes_from_the_generator() -> None:
    dimension, rng = Dimension(2, 3), Random(1)
    drawn = Counter(dimension.random_position(rng) for _ in range(600))
    assert set(drawn) == set(dimension.all_positions())
    assert min(drawn.values()) > 60
    assert dimension.random_position(Random(7)) == dimension.random_position(Random(7))


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
