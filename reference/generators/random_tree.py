"""Norvig's random tree: grown from a root by a frontier, over any nodes and any neighbours.

Source: P. Norvig, "Maze Generation" (a notebook of pytudes, 2018 and a later edition). What is
popped from the frontier decides on the texture: the end gives long winding ways as a depth-first
search does, the front ways that radiate from the root, a random place something between.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from random import Random
from typing import TypeVar

from lab import Dimension, Factory, Generator, Maze, Vector
from lab.graph import Passage, carve, grid_neighbours

Node = TypeVar("Node", bound=Hashable)
Pop = Callable[[deque[Node], Random], Node]
"""Takes a node off the frontier, which it may reorder."""


def random_tree(
    nodes: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]], pop: Pop[Node], rng: Random
) -> Iterator[tuple[Node, Node]]:
    """Yield the edges of a spanning tree, each from a node in the tree to one that joins it.

    Raises ValueError when a node cannot be reached from the others.
    """
    outside = dict.fromkeys(nodes)  # keeps its order, so that the same seed gives the same tree
    if not outside:
        return
    root = _any(list(outside), rng)
    del outside[root]
    frontier = deque([root])
    while outside and frontier:
        node = pop(frontier, rng)
        choices = [neighbour for neighbour in neighbours(node) if neighbour in outside]
        if choices:
            neighbour = _any(choices, rng)
            del outside[neighbour]
            frontier.extend((node, neighbour))
            yield node, neighbour
    if outside:
        raise ValueError(f"expected a connected graph: {next(iter(outside))!r} is out of reach from {root!r}")


def pop_last(frontier: deque[Node], _rng: Random) -> Node:
    """Take the node that came last: twisty, depth-first."""
    return frontier.pop()


def pop_first(frontier: deque[Node], _rng: Random) -> Node:
    """Take the node that came first: breadth-first, radiating from the root."""
    return frontier.popleft()


def pop_random(frontier: deque[Node], rng: Random) -> Node:
    """Choose a node and remove it; the last one moves into its place, which costs no search."""
    place = int(rng.random() * len(frontier))
    frontier[place], frontier[-1] = frontier[-1], frontier[place]
    return frontier.pop()


def pop_shuffled(frontier: deque[Node], rng: Random) -> Node:
    """Shuffle the frontier and take its last node.

    The frontier is still shuffled from the time before, but for the two nodes that were added
    since: only these are moved, each to any place up to its own, as the shuffle of R. Durstenfeld
    (Algorithm 235, CACM 7, 1964) does when it is run from the front.
    """
    for place in range(max(0, len(frontier) - 2), len(frontier)):
        other = int(rng.random() * (place + 1))
        frontier[place], frontier[other] = frontier[other], frontier[place]
    return frontier.pop()


class RandomTree(Generator):
    """Norvig's maze: a random tree over the cells of the grid."""

    def __init__(self, rng: Random, *, pop: Pop[Vector] = pop_last) -> None:
        super().__init__(rng)
        self.pop = pop

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Return a perfect maze of that dimension (ValueError for fewer than two cells)."""
        maze = factory.fully_disconnected(dimension)
        nodes, neighbours = dimension.all_positions(), grid_neighbours(dimension)
        passages: Iterator[Passage] = random_tree(nodes, neighbours, self.pop, self.rng)
        carve(maze, passages)
        return maze


def _any(choices: list[Node], rng: Random) -> Node:
    return choices[int(rng.random() * len(choices))]
