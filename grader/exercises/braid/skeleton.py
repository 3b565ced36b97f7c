"""A braided maze has no dead ends: whoever walks in it need never turn round."""

from __future__ import annotations

from random import Random

from lab import Maze


def braid(maze: Maze, rng: Random) -> Maze:
    """Return a maze like this one without dead ends; the maze itself is left as it was.

    A dead end is a cell with one open side. Walls are opened and none is built, and no more of them than the
    maze has cells with fewer than two open sides. A cell that has one neighbour only, at the end of a single
    row or column, stays a dead end. All luck comes from rng: the same seed, the same maze.
    """
    raise NotImplementedError
