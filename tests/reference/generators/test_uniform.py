import pytest

from lab import Generator
from lab.generators import AldousBroder
from reference.generators.random_tree import RandomTree
from reference.generators.recursive_division import RecursiveDivision
from reference.generators.wilson import Wilson
from tests.reference.generators.spanning_trees import CRITICAL, chi_square, spanning_trees

pytestmark = pytest.mark.usefixtures("_untraced")


def test_the_grid_of_three_by_three_cells_has_192_spanning_trees() -> None:
    assert len(spanning_trees()) == 192


@pytest.mark.parametrize("generator", [AldousBroder, Wilson])
def test_every_tree_is_made_equally_often(generator: type[Generator]) -> None:
    assert chi_square(generator, seed=20) < CRITICAL


@pytest.mark.parametrize("generator", [RandomTree, RecursiveDivision])
def test_the_measure_tells_generators_that_are_not_uniform(generator: type[Generator]) -> None:
    assert chi_square(generator, seed=20) > 3 * CRITICAL
