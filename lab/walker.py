"""The left-hand rule: keep a hand on the wall to the left, and walk on.

It needs no map and no memory, and solves every perfect maze, since all walls there are connected with the
border. If the exit is at a wall that is not, the walker goes in circles: see ``WalkerPath.arrived``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lab.maze import Maze
from lab.vector import NORTH, Vector


class WalkerStep(NamedTuple):
    """The walker's position, and the direction that it faces."""

    position: Vector
    facing: Vector


class WalkerPath(NamedTuple):
    """The steps from the entry, and whether the last one is at the exit."""

    steps: tuple[WalkerStep, ...]
    arrived: bool


def left_hand(maze: Maze, *, facing: Vector = NORTH) -> WalkerPath:
    """Walk until the exit is reached, or until position and direction repeat."""
    steps: dict[WalkerStep, None] = {}
    for step in walk(maze, facing=facing):
        if step in steps:
            return WalkerPath(tuple(steps), arrived=False)
        steps[step] = None
    return WalkerPath(tuple(steps), arrived=maze.is_exit(next(reversed(steps)).position))


def walk(maze: Maze, *, facing: Vector = NORTH) -> Iterator[WalkerStep]:
    """Yield step after step, up to the exit; for ever if the rule never reaches it.

    The walk ends at once if the walker is walled in.
    """
    step = WalkerStep(maze.entry, facing)
    yield step
    while not maze.is_exit(step.position):
        moves = maze.valid_moves_at(step.position)
        ahead = next((move for move in _from_the_left(step.facing) if move in moves), None)
        if ahead is None:
            return
        step = WalkerStep(step.position + ahead, ahead)
        yield step


def _from_the_left(facing: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Return the directions left, straight on, right, back."""
    left = Vector(-facing[1], facing[0])
    return left, facing, left.opposite(), facing.opposite()
