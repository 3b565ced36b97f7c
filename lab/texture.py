"""The texture of a perfect maze: figures by which mazes can be compared.

This module does not enter the grader's boxes, since it solves mazes.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from statistics import fmean
from typing import Final

from lab.maze import Maze
from lab.vector import EAST, SOUTH, Vector


@dataclass(frozen=True, slots=True)
class Texture:
    """The measures of a maze, or their averages over some; ``MEASURES`` defines each."""

    dead_ends: float
    branching: float
    straight_run: float
    solution: float
    turns: float
    diameter: float


MEASURES: Final = {
    "dead_ends": "the share of the cells with exactly one open side",
    "branching": "the share of the cells with three open sides or four",
    "straight_run": "the average length of a straight run, in moves: open sides in a line, from wall to wall",
    "solution": "the number of moves on the way from the entry to the exit",
    "turns": "how often that way changes its direction",
    "diameter": "the number of moves between the two cells that are furthest apart",
}
"""What each measure of a texture is."""


def texture(maze: Maze) -> Texture:
    """Measure a perfect maze with an exit. Raises ValueError for any other."""
    if maze.exit is None:
        raise ValueError("expected a maze with an exit: without one it has no solution to measure")
    cells = maze.dimension.position_count
    degrees = Counter(len(maze.valid_moves_at(cell)) for cell in maze.dimension.all_positions())
    passages = sum(degree * count for degree, count in degrees.items()) // 2
    parents = moves_into(maze, maze.entry)
    if passages != cells - 1 or len(parents) != cells:
        raise ValueError("expected a perfect maze: texture is measured where one way joins any two cells")
    way = _way(parents, maze.exit)
    furthest = moves_into(maze, next(reversed(parents)))
    return Texture(
        dead_ends=degrees[1] / cells,
        branching=(degrees[3] + degrees[4]) / cells,
        straight_run=passages
        / max(1, sum(_runs_from(maze, cell) for cell in maze.dimension.all_positions())),
        solution=len(way),
        turns=sum(move != after for move, after in pairwise(way)),
        diameter=len(_way(furthest, next(reversed(furthest)))),
    )


def average(textures: Iterable[Texture]) -> Texture:
    """Return the averages of one or more textures."""
    each = [asdict(one) for one in textures]
    return Texture(**{name: fmean(one[name] for one in each) for name in MEASURES})


def solution(maze: Maze) -> list[Vector]:
    """Return the moves of the way through a perfect maze, for pictures of it."""
    return [] if maze.exit is None else _way(moves_into(maze, maze.entry), maze.exit)


def _runs_from(maze: Maze, cell: Vector) -> int:
    """Count the straight runs that start in the cell, eastwards and southwards."""
    moves = maze.valid_moves_at(cell)
    return sum(move in moves and move.opposite() not in moves for move in (EAST, SOUTH))


def moves_into(maze: Maze, start: Vector) -> dict[Vector, Vector]:
    """Return the move that leads into each reachable cell, the nearest first."""
    known, queue = {start: Vector(0, 0)}, deque([start])
    while queue:
        cell = queue.popleft()
        for move in maze.valid_moves_at(cell):
            if cell + move not in known:
                known[cell + move] = move
                queue.append(cell + move)
    return known


def _way(into: dict[Vector, Vector], end: Vector) -> list[Vector]:
    way: list[Vector] = []
    while any(move := into[end]):
        way.append(move)
        end = end + move.opposite()
    return way[::-1]
