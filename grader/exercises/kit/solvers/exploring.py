"""How solvers explore a maze: each is a point of a space, and one loop goes the way of all of them.

A point says in which order the neighbours of a cell are found, which of the pending cells is taken, when a
cell is marked, and where the search stops. All costs are 1. So taking the nearest cell, the earliest found of
several, is taking the first; and as what is pending in a stack lies in the order of its depth, taking the
farthest is taking the last, but for the order of siblings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from typing import Final, Literal

from lab import Maze, Vector

SLACK: Final = 1_000
"""A search is endless if it takes this many cells more than twice the cells of the maze."""

Marks = Literal["found", "taken", "before", "never"]
Stops = Literal["seen", "taken", "never"]


@dataclass(frozen=True, slots=True)
class Point:
    """A solver, right or wrong."""

    moves: tuple[Vector, ...]
    """The order in which the neighbours of a cell are found."""
    takes: str
    """Which pending cell it takes, as ``RANKS`` has it."""
    marks: Marks
    """When it marks a cell: when it finds it, when it takes it, never, or never but for the one before."""
    stops: Stops
    """When it stops: when it sees the exit, when it takes it, or when nothing is pending."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A found cell, with the one from which it was found."""

    cell: Vector
    by: Node | None
    cost: int


RANKS: Final[Mapping[str, Callable[[int, int], tuple[int, int]]]] = {
    "first": lambda _cost, number: (0, number),
    "last": lambda _cost, number: (0, -number),
    "latest of the nearest": lambda cost, number: (cost, -number),
}
"""The rank of a pending cell by its cost and its number among those found: the least is taken."""


Pending = list[tuple[tuple[int, int], Node]]
"""A heap of cells by their ranks."""


def explore(point: Point, text: str) -> Iterator[Node | None]:
    """Yield the cells as they are taken, and None where that has no end.

    The exit comes last where the search stops there, even if it was only seen.
    """
    maze, beside, rank = maze_of(text), _neighbours(text), RANKS[point.takes]
    pending: Pending = [(rank(0, 0), Node(maze.entry, None, 0))]
    marked = {maze.entry} if point.marks == "found" else set[Vector]()
    most, number = 2 * maze.dimension.position_count + SLACK, 0
    for taken, node in enumerate(_taken(pending, marked, marks=point.marks == "taken")):
        yield node if taken < most else None
        if taken == most or (node.cell == maze.exit and point.stops != "never"):
            return
        known = {node.by.cell} if point.marks == "before" and node.by else marked
        for end in filter(None, map(beside[node.cell].get, point.moves)):
            if end not in known:
                number += 1
                heappush(pending, (rank(node.cost + 1, number), Node(end, node, node.cost + 1)))
                if point.marks == "found":
                    marked.add(end)
        if point.stops == "seen" and maze.exit and maze.exit in beside[node.cell].values():
            yield Node(maze.exit, node, node.cost + 1)
            return


def _taken(pending: Pending, marked: set[Vector], *, marks: bool) -> Iterator[Node]:
    """Take one pending cell after the other; with ``marks``, each cell once."""
    while pending:
        _, node = heappop(pending)
        if not marks:
            yield node
        elif node.cell not in marked:
            marked.add(node.cell)
            yield node


@lru_cache(maxsize=2_000)
def maze_of(text: str) -> Maze:
    """Read a maze, cached; nobody changes it."""
    return Maze.from_text(text)


@lru_cache(maxsize=2_000)
def _neighbours(text: str) -> Mapping[Vector, Mapping[Vector, Vector]]:
    """Return the neighbours of each cell, by the moves to them."""
    maze = maze_of(text)
    return {
        cell: {move: cell + move for move in maze.valid_moves_at(cell)}
        for cell in maze.dimension.all_positions()
    }
