"""A braided maze: where there was a dead end, one of its walls is opened."""

from __future__ import annotations

from random import Random

from lab import Maze, Vector


def braid(maze: Maze, rng: Random) -> Maze:
    """Return the maze without dead ends: a copy, in which walls at dead ends are opened."""
    braided = maze.copy()
    waiting = [*maze.dimension.all_positions()]
    for cell in waiting:
        walls = _walls_of_a_dead_end(braided, cell)
        if walls:
            move = rng.choice(walls)
            braided.break_wall(cell, move)
            waiting.append(cell + move)  # it had walls all around, and is a dead end from now on
    return braided


def _walls_of_a_dead_end(maze: Maze, cell: Vector) -> list[Vector]:
    """Return the walls of a cell that may be opened; none where it is no dead end."""
    is_dead_end = len(maze.valid_moves_at(cell)) == 1
    return [move for move in maze.moves_at(cell) if is_dead_end and maze.is_wall(cell, move)]
