import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import EAST, MOVES, NORTH, SOUTH, WEST, Vector

VECTORS = st.builds(Vector, st.integers(-99, 99), st.integers(-99, 99))


def test_a_vector_has_a_row_and_a_column() -> None:
    assert (Vector(2, 3).row, Vector(2, 3).column) == (2, 3)


def test_the_moves_stand_in_the_exploration_order() -> None:
    assert MOVES == (NORTH, EAST, SOUTH, WEST) == ((-1, 0), (0, 1), (1, 0), (0, -1))


def test_the_moves_have_names() -> None:
    assert [move.name for move in MOVES] == ["north", "east", "south", "west"]


def test_another_vector_has_no_name() -> None:
    with pytest.raises(ValueError, match=r"got \(1, 1\): only NORTH, EAST, SOUTH and WEST"):
        _ = Vector(1, 1).name


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
