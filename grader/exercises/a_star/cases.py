"""Open rooms in which an estimate spares most of the cells that Dijkstra's algorithm looks at."""

from __future__ import annotations

from random import Random
from typing import Final

from grader.exercises.kit.costs import least_from
from grader.exercises.kit.draw import inner_sides, marked
from lab import Dimension, Factory, Maze, Vector

ROOMS: Final = 10
SIDES: Final = range(12, 19)
COSTS: Final = (1, 1, 1, 1, 2, 3)


def open_rooms(rng: Random) -> list[dict[str, object]]:
    """Draw ten rooms in which estimates by rows and columns spare more than half of the cells."""
    rooms: list[dict[str, object]] = []
    while len(rooms) < ROOMS:
        room = _room(rng)
        if _is_telling(room):
            rooms.append({"maze": room})
    return rooms


def _room(rng: Random) -> Maze:
    room = Factory().fully_connected(Dimension(rng.choice(SIDES), rng.choice(SIDES)))
    for cell, move in inner_sides(room):
        room.break_wall(cell, move, rng.choice(COSTS))
    entry, exit_ = rng.sample(room.dimension.all_positions(), 2)
    return marked(room, entry, exit_)


def _is_telling(room: Maze) -> bool:
    """Tell whether an estimate spares more than half of the cells, whichever of equal ones comes first.

    Whoever asks about the neighbours of these cells as well still looks at fewer than without an estimate.
    """
    exit_, least = room.exit or room.entry, least_from(room, room.entry)
    most = least[exit_].cost
    few = {cell for cell, each in least.items() if each.cost + _steps(cell, exit_) <= most} - {exit_}
    beside = {cell + move for cell in few for move in room.valid_moves_at(cell)} - {exit_}
    many = sum(each.cost < most for each in least.values())
    return 2 * len(few) < many and len(few | beside) < many


def _steps(cell: Vector, exit_: Vector) -> int:
    return abs(exit_.row - cell.row) + abs(exit_.column - cell.column)
