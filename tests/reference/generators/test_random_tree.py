from collections import Counter, deque
from random import Random

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import Dimension, Factory
from lab.texture import average, texture
from reference.generators.random_tree import (
    Pop,
    RandomTree,
    pop_first,
    pop_last,
    pop_random,
    pop_shuffled,
    random_tree,
)

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


def test_each_edge_leads_from_the_tree_to_a_new_node() -> None:
    edges = list(random_tree("abcdef", lambda _: "abcdef", pop_random, Random(4)))
    tree = {edges[0][0]}
    for node, new in edges:
        assert node in tree
        assert new not in tree
        tree.add(new)
    assert tree == set("abcdef")


@every_pop
def test_a_graph_in_two_parts_is_refused(pop: Pop[str]) -> None:
    with pytest.raises(ValueError, match=r"expected a connected graph: '[ab]' is out of reach from '[ab]'"):
        list(random_tree("ab", lambda _: [], pop, Random(1)))


def test_last_and_first_take_the_ends() -> None:
    assert pop_last(deque("abc"), Random(1)) == "c"
    assert pop_first(deque("abc"), Random(1)) == "a"


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


def test_from_the_end_ways_are_long_and_from_the_front_short() -> None:
    found = {}
    for pop in POPS:
        generator = RandomTree(Random(1), pop=pop)
        found[pop] = average(texture(generator.generate(Factory(), Dimension(12, 12))) for _ in range(20))
    assert found[pop_last].diameter > 2 * found[pop_random].diameter
    assert found[pop_last].dead_ends < found[pop_first].dead_ends < found[pop_random].dead_ends
    assert found[pop_shuffled].dead_ends == pytest.approx(found[pop_random].dead_ends, rel=0.05)
