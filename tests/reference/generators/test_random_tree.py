from collections import Counter, deque
from random import Random

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.generators.random_tree import Pop, pop_first, pop_last, pop_random, pop_shuffled, random_tree

POPS = [pop_last, pop_first, pop_random, pop_shuffled]
every_pop = pytest.mark.parametrize("pop", POPS)


@every_pop
@given(seed=st.integers(0, 9999), size=st.integers(1, 25))
def test_it_grows_a_tree_over_any_connected_graph(pop: Pop[str], seed: int, size: int) -> None:
    graph = networkx.relabel_nodes(
        networkx.connected_watts_strogatz_graph(size + 4, 4, 0.3, seed=seed), "node {}".format
    )
    tree = networkx.Graph(random_tree(sorted(graph), graph.neighbors, pop, Random(seed)))
    assert networkx.is_tree(tree)
    assert set(tree) == set(graph)
    assert all(graph.has_edge(*edge) for edge in tree.edges)


@every_pop
def test_a_graph_in_two_parts_is_refused(pop: Pop[str]) -> None:
    with pytest.raises(ValueError, match=r"expected a connected graph: '[ab]' is out of reach from '[ab]'"):
        list(random_tree("ab", lambda _: [], pop, Random(1)))


@pytest.mark.parametrize("pop", [pop_random, pop_shuffled])
def test_at_random_every_node_is_taken_equally_often(pop: Pop[str]) -> None:
    rng = Random(5)
    taken: Counter[str] = Counter()
    for _ in range(3000):
        frontier = deque("ab")
        frontier.rotate(int(rng.random() * 2))  # shuffled, as the pop before would leave it
        frontier.extend("cd")
        taken[pop(frontier, rng)] += 1
        assert len(frontier) == 3
    assert all(650 < taken[node] < 850 for node in "abcd")
