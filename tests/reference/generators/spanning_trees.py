"""The 192 spanning trees of the grid of 3 x 3 cells, and whether they are made equally often."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

import networkx

from lab import Dimension, Factory, Generator
from lab.graph import Passage, grid_neighbours, passages

THREE = Dimension(3, 3)
EACH = 60
"""How many mazes are made per tree."""
CRITICAL = 255.0
"""A chi-square variable with 191 degrees of freedom exceeds this once in a thousand times."""


def spanning_trees() -> set[frozenset[Passage]]:
    """Every spanning tree, found by trying all sets of eight passages."""
    cells = THREE.all_positions()
    neighbours = grid_neighbours(THREE)
    edges = [(cell, other) for cell in cells for other in neighbours(cell) if cell < other]
    return {
        frozenset(chosen)
        for chosen in combinations(edges, len(cells) - 1)
        if len(graph := networkx.Graph(chosen)) == len(cells) and networkx.is_connected(graph)
    }


def chi_square(make: Callable[[Random], Generator], *, seed: int) -> float:
    """Return how far the counts of the trees are from equal."""
    trees = spanning_trees()
    generator, factory = make(Random(seed)), Factory()
    counts = Counter(passages(generator.generate(factory, THREE)) for _ in range(EACH * len(trees)))
    assert set(counts) <= trees
    return sum((counts[tree] - EACH) ** 2 / EACH for tree in trees)
