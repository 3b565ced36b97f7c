from itertools import pairwise
from random import Random
from typing import Any

import pytest

from lab import Dimension, Factory
from lab.graph import doors
from reference.generators.path_cutter import Cutting, PathCutter


def made(**options: float) -> tuple[PathCutter, Cutting]:
    defaults: dict[str, Any] = {"turn_probability": 0.25, "length_limit": 30, **options}
    return PathCutter(Random(2), **defaults), Cutting(9, 7, Random(2), **defaults)


def test_the_maze_has_the_doors_of_the_matrices() -> None:
    cutter, cutting = made()
    list(cutting.cut())
    assert doors(cutter.generate(Factory(), Dimension(9, 7))) == cutting.doors


def paths(cutting: Cutting) -> list[list[tuple[int, int]]]:
    """The cells of each path, from the branch that it starts in."""
    found: list[list[tuple[int, int]]] = []
    for here, there in cutting.cut():
        if found and found[-1][-1] == here:
            found[-1].append(there)
        else:
            found.append([here, there])
    return found


def test_a_cutter_that_never_turns_by_chance_turns_only_when_blocked() -> None:
    cutting = Cutting(30, 30, Random(1), turn_probability=0, length_limit=10_000)
    first = paths(cutting)[0]
    moves = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(first)]
    seen = set()
    for cell, before, move in zip(first[1:], moves, moves[1:], strict=False):
        seen.add(cell)
        ahead = (cell[0] + before[0], cell[1] + before[1])
        if move != before:
            inside = 1 <= ahead[0] <= 30 and 1 <= ahead[1] <= 30
            assert not inside or ahead in {*seen, first[0]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"turn_probability": 1.5}, "turn_probability: expected a number from 0 to 1, got 1.5"),
        ({"turn_probability": -0.1}, "turn_probability: expected a number from 0 to 1, got -0.1"),
        ({"length_limit": 0}, "length_limit: expected at least 1, got 0"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PathCutter(Random(1), **options)
