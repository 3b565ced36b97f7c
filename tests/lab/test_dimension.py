from collections import Counter
from random import Random

import pytest
from hypothesis import given

from lab import Dimension, Vector
from tests.lab.drawn import DIMENSIONS


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


@pytest.mark.parametrize("counts", [(0, 1), (1, 0), (-1, 5)])
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
