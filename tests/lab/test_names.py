from random import Random

import pytest

import lab
from lab import Generator, Solver


def test_the_public_names_are_those_of_the_contract() -> None:
    assert set(lab.__all__) == {
        *("EAST", "MOVES", "NORTH", "SOUTH", "WEST", "Dimension", "Factory", "Generator"),
        *("Maze", "MazeFormatError", "Solver", "Vector"),
    }


@pytest.mark.parametrize(("base", "arguments"), [(Solver, ()), (Generator, (Random(1),))])
def test_the_bases_are_abstract(base: type, arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match="abstract"):
        base(*arguments)
