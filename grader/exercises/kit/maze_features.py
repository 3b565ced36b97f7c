"""What is true of a maze as a graph: the features that wrong checkers and generators go by."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

from grader.exercises.kit.facts import Facts
from lab import Maze, Vector
from lab.graph import Passage, passages

MANY = 8
"""From this number on, wrong answers of one kind are no coincidence."""


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


def right_in_squares_only(answers: Sequence[tuple[Maze, bool]]) -> bool:
    """Return whether the answers are right in all square mazes, but wrong in many others.

    There must be so many, single rows and columns aside, that some square ones would be wrong by chance.
    """
    square, oblong = [], []
    for maze, is_right in answers:
        sides = maze.dimension.row_count, maze.dimension.column_count
        if sides[0] == sides[1]:
            square.append(is_right)
        elif min(sides) > 1:
            oblong.append(is_right)
    wrong = oblong.count(False)
    is_no_chance = wrong * len(square) >= 2 * MANY * len(oblong) > 0
    return is_no_chance and all(square)
