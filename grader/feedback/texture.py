"""What a generator's mazes look like in figures, beside those of the lab's own generator."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from random import Random
from statistics import fmean

from grader.feedback.view import GalleryMaze
from lab import Dimension, Factory, Maze, Vector
from lab.generators import AldousBroder

SAMPLES = 12
"""So many mazes of each size stand for the lab's generator."""
CELLS_LIMIT = 1_000
"""Larger mazes have no share in the figures: the walk takes long on them."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Averages over some mazes; the names are keys of the catalogues."""

    dead_ends: float
    solution: float
    turns: float
    longest: float

    def items(self) -> list[tuple[str, float]]:
        """The figures by name."""
        return [(field.name, getattr(self, field.name)) for field in fields(self)]


def compare(gallery: Sequence[GalleryMaze]) -> tuple[Figures, Figures] | None:
    """Return the figures of these mazes, and of the lab's generator over the same dimensions.

    None where one of the mazes is not perfect: the figures mean nothing there.
    """
    mazes = [item.maze for item in gallery if item.maze.dimension.position_count <= CELLS_LIMIT]
    if not mazes or not all(map(_is_perfect, mazes)):
        return None
    factory, rng = Factory(), Random(1)
    given = [
        AldousBroder(rng).generate(factory, Dimension(maze.dimension.row_count, maze.dimension.column_count))
        for maze in mazes
        for _ in range(SAMPLES)
    ]
    return _average(mazes), _average(given)


def _average(mazes: Sequence[Maze]) -> Figures:
    each = [_figures(maze) for maze in mazes]
    names = [field.name for field in fields(Figures)]
    return Figures(**{name: fmean(getattr(figures, name) for figures in each) for name in names})


def _is_perfect(maze: Maze) -> bool:
    cells = maze.dimension.all_positions()
    openings = sum(len(maze.valid_moves_at(cell)) for cell in cells)
    return openings == 2 * (len(cells) - 1) and len(_parents(maze, maze.entry)) == len(cells)


def _figures(maze: Maze) -> Figures:
    cells = maze.dimension.all_positions()
    way = _way(_parents(maze, maze.entry), maze.exit or maze.entry)
    moves = [Vector(b.row - a.row, b.column - a.column) for a, b in pairwise(way)]
    far = list(_parents(maze, maze.entry))[-1]
    reached = _parents(maze, far)
    return Figures(
        dead_ends=100 * sum(len(maze.valid_moves_at(cell)) == 1 for cell in cells) / len(cells),
        solution=len(moves),
        turns=sum(a != b for a, b in pairwise(moves)),
        longest=len(_way(reached, list(reached)[-1])) - 1,
    )


def _parents(maze: Maze, start: Vector) -> dict[Vector, Vector]:
    """Each reachable cell, the closest first, with the cell before it; the start with itself."""
    parents, queue = {start: start}, deque([start])
    while queue:
        cell = queue.popleft()
        for move in maze.valid_moves_at(cell):
            if cell + move not in parents:
                parents[cell + move] = cell
                queue.append(cell + move)
    return parents


def _way(parents: dict[Vector, Vector], end: Vector) -> list[Vector]:
    cells = [end]
    while (parent := parents[cells[-1]]) != cells[-1]:
        cells.append(parent)
    return cells
