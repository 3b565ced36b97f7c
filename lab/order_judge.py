"""The judge of visit orders, the same in the public tests and in the grade: fair to every right solver.

It is given the right orders, and compares a solver's observed visits with them; it cannot compute any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lab.maze import Maze, Position
from lab.vector import Vector
from lab.visits import (
    asks_ahead,
    asks_beside_new_cells,
    found_orders,
    is_exploration,
    parting,
    searched_by_itself,
    shows_the_ends_only,
    tidy,
)

Streams = Mapping[str, Sequence[Position]]
"""Observations by the names of ``lab.watch.STREAMS``, the most informative first; none is empty."""


@dataclass(frozen=True)
class RightOrders:
    """The right visit orders of a solver in a maze that has a way."""

    maze: Maze
    orders: Sequence[Sequence[Position]]
    """The right visit orders, entry and exit included, the usual one first."""
    in_reach: Collection[Position]
    """The cells that can be reached from the entry."""
    tried: tuple[Vector, ...] = ()
    """The cells of which a depth-first search asks whether they lead back, if it asks that of one neighbour
    after the other and goes on from each that does; without entry and exit."""

    @cached_property
    def tidy(self) -> frozenset[tuple[Vector, ...]]:
        """The right orders without entry and exit: a quick test for right visits."""
        return frozenset(tuple(tidy(order, self.maze)) for order in self.orders)

    @cached_property
    def found(self) -> tuple[tuple[Vector, ...], ...]:
        """The right orders as they look if each cell's moves are asked for as soon as it is found."""
        found = tuple(found for order in self.orders for found in found_orders(order, self.maze))
        return (*found, self.tried) if self.tried else found


def is_cleared(right: RightOrders, streams: Streams, way: Sequence[Position] | None) -> bool:
    """Return whether any observation follows a right order, at least up to the exit."""
    if any(_keeps_to(right, stream) for stream in streams.values()):
        return True
    telling = _telling(right, streams, way)
    if "taken" in telling:
        return False
    maze = right.maze
    return any(
        any(asks_ahead(each, stream, maze) for each in right.found)
        or any(asks_beside_new_cells(order, stream, maze) for order in right.orders)
        for stream in (telling.get("asked", ()), telling.get("probed", ()))
    )


def evidence(
    right: RightOrders, streams: Streams, way: Sequence[Position] | None
) -> Sequence[Position] | None:
    """Return the most informative observation of the order in which cells were visited.

    None if there is none, as for a solver that read the whole maze before it searched: then the returned way
    decides, since the order determines which of several equal ways is found. Questions about the ends alone
    mean nothing if the way leads through other cells.
    """
    telling = _telling(right, streams, way)
    found = next((name for name in telling if _shows_the_order(right, name, telling[name])), None)
    if found is None:
        return None
    if found != "taken" and way is not None and shows_the_ends_only(telling[found], way, right.maze):
        return None
    return telling[found]


def nearest_order(right: RightOrders, stream: Sequence[Position]) -> tuple[Sequence[Position], int]:
    """Return the right order that the visits follow longest, and where they depart from it, as ``parting``
    does; 0 where they follow it to the exit."""

    def followed(order: Sequence[Position]) -> int:
        index = parting(order, stream, right.maze)
        return len(stream) + 1 if index is None else index

    order = max(right.orders, key=followed)
    return order, parting(order, stream, right.maze) or 0


def _telling(right: RightOrders, streams: Streams, way: Sequence[Position] | None) -> Streams:
    """Return the observations, without ``taken`` if it contains only the entry although a way was found."""
    if way and searched_by_itself(streams.get("taken", ()), way, right.maze):
        return {name: stream for name, stream in streams.items() if name != "taken"}
    return streams


def _keeps_to(right: RightOrders, stream: Sequence[Position]) -> bool:
    """Return whether the stream follows a right order, at least up to the exit."""
    if tuple(tidy(stream, right.maze)) in right.tidy:
        return True
    return any(parting(order, stream, right.maze) is None for order in right.orders)


def _shows_the_order(right: RightOrders, name: str, stream: Sequence[Position]) -> bool:
    """Return whether a stream that follows no right order is evidence of a wrong one.

    Taken cells were visited. Cells whose moves were asked for were visited, unless they are all reachable
    cells: that is reading the maze, not searching it. Single walls may also be probed from the far side; they
    are evidence only if they follow the passages.
    """
    if name in ("taken", "tested"):
        return name == "taken"
    if _is_scan(right, name, stream) or _holds_all(right, name, stream):
        return False
    return name == "asked" or is_exploration(stream, right.maze)


def _holds_all(right: RightOrders, name: str, stream: Sequence[Position]) -> bool:
    """Return whether every reachable cell was asked about, except perhaps entry and exit."""
    inner = set(right.in_reach) - {right.maze.entry, right.maze.exit}
    return _is_asked_about(right, name, inner, stream)


def _is_scan(right: RightOrders, name: str, stream: Sequence[Position]) -> bool:
    """Return whether the maze was read cell by cell, in rows or columns, from either end."""
    in_rows = sorted(stream)
    in_columns = sorted(stream, key=lambda cell: (cell[1], cell[0]))
    is_in_line = list(stream) in (in_rows, in_rows[::-1], in_columns, in_columns[::-1])
    return is_in_line and _is_asked_about(right, name, right.maze.dimension.all_positions(), stream)


def _is_asked_about(
    right: RightOrders, name: str, cells: Iterable[Position], stream: Sequence[Position]
) -> bool:
    """Return whether the stream contains all of the cells.

    If single walls are probed, a cell may be missing whose sides were all probed from the other side.
    """
    known = set(stream)
    left = [Vector(*cell) for cell in cells if cell not in known]
    if name == "asked":
        return not left
    return all(cell + move in known for cell in left for move in right.maze.moves_at(cell))
