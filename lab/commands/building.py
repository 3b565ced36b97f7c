"""What a generator does to walls, noted while it works, and what is wrong with the maze that comes of it.

Finished mazes are not looked at: to tell of one whether it is perfect is an exercise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Self

from lab.dimension import Dimension
from lab.factory import Factory
from lab.maze import Maze, Position
from lab.vector import EAST, SOUTH, Vector
from lab.watch import Watch, WatchedMaze

MOST_OPENED = 1_000
"""The first 1,000 walls that are opened are noted in order, as in the grade."""
Opening = frozenset[Vector]
"""Two neighbouring cells with no wall between them."""


@dataclass(frozen=True, slots=True)
class Flaws:
    """What keeps a maze from being perfect."""

    lost: frozenset[Vector]
    """The cells that are not joined with the entry."""
    circled: frozenset[Vector]
    """The cells through which more than one way leads round."""
    count: int
    """How many passages are missing to join all cells, and how many are too many."""


class NotedMaze(WatchedMaze):
    """A maze that notes which of its walls are open, from its beginning on."""

    _noted_openings: set[Opening]
    _opened: list[tuple[Vector, Vector]]

    @classmethod
    def begun(
        cls, maze: Maze, watch: Watch, openings: Iterable[Opening], opened: list[tuple[Vector, Vector]]
    ) -> Self:
        """Return a copy of a maze with these openings that notes what is done to it, and in ``opened`` which
        walls are opened, in order."""
        noted = cls.of(maze, watch)
        noted._noted_openings, noted._opened = set(openings), opened
        return noted

    def copy(self) -> Self:
        """Return a maze of its own with the same content, noted as well."""
        return self.begun(self, self._watch, self._noted_openings, self._opened)

    def apart(self) -> Self:
        """Return a copy that nobody else can change, and that records in a watch of its own."""
        return self.begun(self, Watch(), self._noted_openings, [])

    def break_wall(self, position: Position, direction: Position, cost: int = 1) -> None:
        super().break_wall(position, direction, cost)
        self._noted_openings.add(_opening(position, direction))
        here = Vector(*position)
        if len(self._opened) < MOST_OPENED:
            self._opened.append((here, here + direction))

    def build_wall(self, position: Position, direction: Position) -> None:
        super().build_wall(position, direction)
        self._noted_openings.discard(_opening(position, direction))

    @property
    def flaws(self) -> Flaws:
        """What was done wrong."""
        return _flaws(self.dimension.all_positions(), self.entry, self._noted_openings)


NotedMaze.__name__ = "Maze"  # what errors call it


class NotingFactory(Factory):
    """Makes mazes that note what is done to them, and count requests."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self.opened: list[tuple[Vector, Vector]] = []
        """The walls that were opened in all mazes, in order."""

    def fully_connected(self, dimension: Dimension) -> Maze:
        sides = ((cell, move) for cell in dimension.all_positions() for move in (EAST, SOUTH))
        openings = (_opening(cell, move) for cell, move in sides if dimension.includes(cell + move))
        return NotedMaze.begun(super().fully_connected(dimension), self._watch, openings, self.opened)

    def fully_disconnected(self, dimension: Dimension) -> Maze:
        return NotedMaze.begun(super().fully_disconnected(dimension), self._watch, (), self.opened)


def _opening(position: Position, direction: Position) -> Opening:
    here = Vector(*position)
    return frozenset((here, here + direction))


def _flaws(cells: Collection[Vector], entry: Vector, openings: Collection[Opening]) -> Flaws:
    """Join the cells of each opening, then leave out dead ends until none is left."""
    joined = {cell: {cell} for cell in cells}
    beside: dict[Vector, set[Vector]] = {cell: set() for cell in cells}
    for one, other in openings:
        beside[one].add(other)
        beside[other].add(one)
        small, large = sorted((joined[one], joined[other]), key=len)
        if small is not large:
            large |= small
            joined.update(dict.fromkeys(small, large))
    parts = len({id(part) for part in joined.values()})
    ends = [cell for cell in cells if len(beside[cell]) <= 1]
    while ends:
        end = ends.pop()
        for other in beside.pop(end, ()):
            beside[other].discard(end)
            if len(beside[other]) <= 1:
                ends.append(other)
    missing, too_many = parts - 1, len(openings) - len(cells) + parts
    return Flaws(frozenset(cells) - joined[entry], frozenset(beside), missing + too_many)
