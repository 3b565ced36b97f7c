import itertools
from collections.abc import Callable
from random import Random
from typing import Any

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import Dimension
from lab.graph import grid_neighbours
from reference.generators.moler_walk import BRANCHINGS, Branches, walk

PLACES: dict[str, Callable[[list[int]], int]] = {
    "first": lambda kept: 0,
    "middle": lambda kept: len(kept) // 2,
    "last": lambda kept: len(kept) - 1,
}


CHOICES: dict[str, Any] = {**BRANCHINGS}
"""They choose among nodes of any kind."""


@pytest.mark.parametrize("branching", BRANCHINGS)
@given(appends=st.lists(st.booleans(), max_size=60))
def test_the_branches_are_a_list_that_loses_its_first_middle_or_last(
    branching: str, appends: list[bool]
) -> None:
    branches: Branches[int] = Branches()
    kept: list[int] = []
    for number, append in enumerate(appends):
        if append or not kept:
            branches.append(number)
            kept.append(number)
        else:
            chosen = CHOICES[branching](branches)
            branches.remove(chosen)
            assert chosen == kept.pop(PLACES[branching](kept))
        assert len(branches) == len(kept)


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_the_walk_goes_on_until_a_dead_end_and_then_from_a_branch(branching: str) -> None:
    dimension = Dimension(9, 9)
    neighbours = grid_neighbours(dimension)
    steps = list(walk(dimension.all_positions(), neighbours, BRANCHINGS[branching], Random(3)))
    seen = {steps[0][0], steps[0][1]}
    jumps = 0
    for before, step in itertools.pairwise(steps):
        if step[0] != before[1]:
            jumps += 1
            assert all(cell in seen for cell in neighbours(before[1]))
        assert step[0] in seen
        seen.add(step[1])
    assert jumps > 3
    assert networkx.is_tree(networkx.Graph(steps))


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("size", [3, 5])
def test_a_graph_in_two_parts_is_refused(branching: str, size: int) -> None:
    graph = networkx.disjoint_union(networkx.complete_graph(size), networkx.complete_graph(size))
    with pytest.raises(ValueError, match=r"expected a connected graph: \d is out of reach from \d"):
        list(walk(graph, graph.neighbors, BRANCHINGS[branching], Random(1)))
