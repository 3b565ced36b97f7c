"""Moler's walk: on and on at random, and from a dead end back to an earlier branch.

Source: C. Moler, "Creating Mazes" and the program ``amaze`` (Cleve's Corner, MathWorks, 2019). Two graphs
share one grid: the barriers, and the cells, which begin without an edge. Each step of the walk adds an edge
and removes the barrier that it crosses. A cell that left the walk a choice is kept as a branch; the choice of
the branch to go back to determines the texture.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from random import Random
from typing import Generic, TypeVar

from lab import Dimension, Factory, Generator, Maze, Vector
from lab.graph import Passage, carve, grid_neighbours

Node = TypeVar("Node", bound=Hashable)


class Branches(Generic[Node]):
    """The branches in the order in which they were met, as two halves for quick access to the middle."""

    def __init__(self) -> None:
        self._earlier: deque[Node] = deque()
        self._later: deque[Node] = deque()

    def __len__(self) -> int:
        return len(self._earlier) + len(self._later)

    def append(self, node: Node) -> None:
        """Keep a branch, as the last."""
        self._later.append(node)
        self._balance()

    def first(self) -> Node:
        """Return the branch that was met first."""
        return (self._earlier or self._later)[0]

    def middle(self) -> Node:
        """Return the branch in the middle, the later one of two."""
        return self._later[0]

    def last(self) -> Node:
        """Return the branch that was met last."""
        return self._later[-1]

    def remove(self, node: Node) -> None:
        """Drop the first, the middle or the last branch."""
        if node == self.last():
            self._later.pop()
        elif node == self.middle():
            self._later.popleft()
        else:
            self._earlier.popleft()
        self._balance()

    def _balance(self) -> None:
        """Move branches so that the later half has as many as the earlier one, or one more."""
        while len(self._later) > len(self._earlier) + 1:
            self._earlier.append(self._later.popleft())
        while len(self._later) < len(self._earlier):
            self._later.appendleft(self._earlier.pop())


Choice = Callable[[Branches[Node]], Node]

BRANCHINGS: dict[str, Callable[[Branches[Vector]], Vector]] = {
    "first": Branches.first,
    "middle": Branches.middle,
    "last": Branches.last,
}


def walk(
    nodes: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]], choose: Choice[Node], rng: Random
) -> Iterator[tuple[Node, Node]]:
    """Yield the edges of a spanning tree in the order in which the walk makes them.

    Raises ValueError when a node cannot be reached from the others.
    """
    available = dict.fromkeys(nodes)  # keeps its order, so that the same seed gives the same tree
    if not available:
        return
    branches: Branches[Node] = Branches()
    start = node = _any(list(available), rng)
    del available[node]
    new = True
    while available:
        choices = [neighbour for neighbour in neighbours(node) if neighbour in available]
        if new and len(choices) > 1:
            branches.append(node)
        if choices:
            step = node, _any(choices, rng)
            yield step
            node, new = step[1], True
            del available[node]
            continue
        if not new:
            branches.remove(node)
        if not branches:
            lost = next(iter(available))
            raise ValueError(f"expected a connected graph: {lost!r} is out of reach from {start!r}")
        node, new = choose(branches), False


class MolerWalk(Generator):
    """Moler's maze; ``branching`` is "first", "middle" or "last"."""

    def __init__(self, rng: Random, *, branching: str = "last") -> None:
        super().__init__(rng)
        if branching not in BRANCHINGS:
            raise ValueError(f"branching: expected one of {', '.join(BRANCHINGS)}, got {branching!r}")
        self.branching = branching

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        """Return a perfect maze of that dimension (ValueError for fewer than two cells)."""
        maze = factory.fully_disconnected(dimension)
        nodes, neighbours = dimension.all_positions(), grid_neighbours(dimension)
        passages: Iterator[Passage] = walk(nodes, neighbours, BRANCHINGS[self.branching], self.rng)
        carve(maze, passages)
        return maze


def _any(choices: list[Node], rng: Random) -> Node:
    return choices[int(rng.random() * len(choices))]
