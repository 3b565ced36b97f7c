"""Positions in rooms, in corridors, and in mazes with dead ends and cells that are walled in."""

from __future__ import annotations

from random import Random

from lab import Dimension, Factory, Maze
from lab.generators import AldousBroder

Cases = list[dict[str, object]]


def in_rooms(rng: Random) -> Cases:
    """Draw positions in rooms without inner walls: corners, sides and the middle."""
    sizes = [Dimension(rows, columns) for rows in (1, 2, 3, 4) for columns in (2, 3, 5)]
    return [_at_random(Factory().fully_connected(size), rng) for size in sizes for _ in range(3)]


def in_corridors(rng: Random) -> Cases:
    """Draw positions in single rows and columns."""
    sizes = [Dimension(*size) for length in (2, 3, 5, 8) for size in ((1, length), (length, 1))]
    return [_at_random(AldousBroder(rng).generate(Factory(), size), rng) for size in sizes for _ in range(3)]


def in_mazes(rng: Random) -> Cases:
    """Draw positions in mazes, and in some that are nothing but walls."""
    sizes = [Dimension(rows, columns) for rows in (2, 3, 4, 6) for columns in (2, 3, 4, 7)]
    mazes = [AldousBroder(rng).generate(Factory(), size) for size in sizes for _ in range(3)]
    walls = [Factory().fully_disconnected(size) for size in sizes[:3]]
    return [_at_random(maze, rng) for maze in (*mazes, *walls)]


def _at_random(maze: Maze, rng: Random) -> dict[str, object]:
    return {"maze": maze, "position": maze.dimension.random_position(rng)}
