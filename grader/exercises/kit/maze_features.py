"""What is true of a maze as a graph: the features that wrong checkers and generators go by."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

from grader.exercises.kit.facts import Facts
from lab import Maze, Vector
from lab.graph import Passage, passages


@dataclass(frozen=True)
class Features:
    """A maze and its features, computed when they are first used."""

    facts: Facts

    @property
    def maze(self) -> Maze:
        """The maze."""
        return self.facts.maze

    @property
    def cells(self) -> tuple[Vector, ...]:
        """All cells."""
        return self.facts.dimension.all_positions()

    @cached_property
    def edges(self) -> frozenset[Passage]:
        """All passages."""
        return passages(self.maze)

    @property
    def reached(self) -> Set[Vector]:
        """The cells that can be reached from the entry."""
        return self.facts.distances.keys()

    @property
    def connected(self) -> bool:
        """Whether every cell can be reached."""
        return not self.facts.islands

    @cached_property
    def part_count(self) -> int:
        """The number of parts with no way between them."""
        return part_count(self.cells, self.edges)

    @property
    def acyclic(self) -> bool:
        """Whether there is no cycle at all."""
        return len(self.edges) == len(self.cells) - self.part_count

    @property
    def acyclic_in_reach(self) -> bool:
        """Whether no cycle can be reached from the entry."""
        inside = sum(one in self.reached for one, _ in self.edges)
        return inside == len(self.reached) - 1

    @property
    def perfect(self) -> bool:
        """Whether every cell can be reached in exactly one way."""
        return self.facts.is_perfect


@lru_cache(maxsize=2_000)
def features_of(text: str) -> Features:
    """Return the features of a maze, cached for the next submission. Raises MazeFormatError for an invalid
    one."""
    features = Features(Facts(text))
    _ = features.maze
    return features


def part_count(cells: Collection[Vector], edges: Iterable[Passage]) -> int:
    """Count the parts of these cells if they are joined by these passages only."""
    root = {cell: cell for cell in cells}

    def find(cell: Vector) -> Vector:
        while root[cell] != cell:
            root[cell] = root[root[cell]]
            cell = root[cell]
        return cell

    for one, other in edges:
        root[find(one)] = find(other)
    return sum(root[cell] == cell for cell in cells)
