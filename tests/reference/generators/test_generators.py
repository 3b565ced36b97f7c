"""What holds for every generator."""

from pathlib import Path
from random import Random

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab import Dimension, Factory
from lab.graph import to_networkx
from reference.generators.registry import GENERATORS
from tests.lab.drawn import ROOMY

MADE = Path(__file__).with_name("made.txt")
every_generator = pytest.mark.parametrize("name", GENERATORS)


@every_generator
@settings(max_examples=40)
@given(dimension=ROOMY, seed=st.integers(0, 2**32))
def test_every_maze_is_perfect(name: str, dimension: Dimension, seed: int) -> None:
    maze = GENERATORS[name](Random(seed)).generate(Factory(), dimension)
    assert maze.dimension == dimension
    assert networkx.is_tree(to_networkx(maze))
    assert (maze.entry, maze.exit) == ((1, 1), (dimension.row_count, dimension.column_count))


@every_generator
def test_the_same_seed_gives_the_same_maze_and_others_give_others(name: str) -> None:
    def make(seed: int) -> str:
        return GENERATORS[name](Random(seed)).generate(Factory(), Dimension(8, 8)).to_text()

    assert make(1) == make(1)
    assert len({make(seed) for seed in range(10)}) == 10


@every_generator
def test_one_cell_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected a dimension of two cells or more"):
        GENERATORS[name](Random(1)).generate(Factory(), Dimension(1, 1))


@every_generator
@pytest.mark.parametrize("dimension", [Dimension(1, 2500), Dimension(2500, 1), Dimension(50, 50)], ids=str)
def test_no_recursion_limit_is_in_the_way(name: str, dimension: Dimension) -> None:
    if name == "Aldous-Broder" and dimension.position_count != dimension.row_count**2:
        dimension = Dimension(dimension.row_count // 25 or 1, dimension.column_count // 25 or 1)
    maze = GENERATORS[name](Random(1)).generate(Factory(), dimension)
    assert sum(len(maze.valid_moves_at(cell)) for cell in dimension.all_positions()) == 2 * (
        dimension.position_count - 1
    )


def test_the_mazes_are_those_that_every_version_of_python_makes() -> None:
    made = (
        f"{name}\n{make(Random(6)).generate(Factory(), Dimension(4, 6)).to_text()}\n"
        for name, make in GENERATORS.items()
    )
    assert "\n".join(made) == MADE.read_text(encoding="utf-8")
