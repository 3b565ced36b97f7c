"""The visit order, and when a solver that was watched has kept to it.

A cell is visited when it is taken from the pending cells, or entered in a recursive solver. A
solver that stops as soon as it sees the exit has visited a part of the order only, and is right;
so is one that goes on after the exit, whatever it visits then. Whether the entry or the exit itself
is counted does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lab.maze import Maze, Position
from lab.vector import Vector


def tidy(visits: Iterable[Position], maze: Maze) -> list[Vector]:
    """Each position once, in the order first seen, without the entry and the exit."""
    inner = dict.fromkeys(visits)
    inner.pop(maze.entry, None)
    if maze.exit is not None:
        inner.pop(maze.exit, None)
    return [Vector(*position) for position in inner]


def up_to_the_exit(visits: Iterable[Position], maze: Maze) -> list[Position]:
    """The visits until the exit was visited; all of them where it was not."""
    seen = list(visits)
    return seen[: seen.index(maze.exit)] if maze.exit in seen else seen


def parting(order: Sequence[Position], visits: Iterable[Position], maze: Maze) -> int | None:
    """Return where the visits leave the order, as an index into ``tidy(visits, maze)``.

    None where they keep to it, up to the exit. The index is the length of the visits where they end
    too early. A solver may look at the exit before it begins.
    """
    seen = list(visits)
    index = _parting(order, seen, maze)
    if index is not None and maze.exit is not None and seen[:1] == [maze.exit]:
        return None if _parting(order, seen[1:], maze) is None else index
    return index


def _parting(order: Sequence[Position], seen: list[Position], maze: Maze) -> int | None:
    expected, actual = tidy(order, maze), tidy(up_to_the_exit(seen, maze), maze)
    for index, (right, here) in enumerate(zip(expected, actual, strict=False)):
        if right != here:
            return index
    if len(actual) > len(expected) and (maze.exit in seen or maze.exit not in order):
        return len(expected)
    if len(actual) >= len(expected) or _may_stop_after(actual, maze):
        return None
    return len(actual)


def is_exploration(visits: Iterable[Position], maze: Maze) -> bool:
    """Tell whether every visit is to the entry or to a neighbour of an earlier visit."""
    known = {maze.entry}
    for position in dict.fromkeys(visits):
        if position not in known or not maze.dimension.includes(position):
            return False
        here = Vector(*position)
        known.update(here + move for move in maze.valid_moves_at(here))
    return True


def _may_stop_after(visited: list[Vector], maze: Maze) -> bool:
    """The exit is in sight from the last visited cell, or there is none to look for."""
    if maze.exit is None:
        return not visited
    last = visited[-1] if visited else maze.entry
    return any(last + move == maze.exit for move in maze.valid_moves_at(last))
