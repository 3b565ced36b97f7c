"""The judge of visit orders, the same in the public tests and in the grade: fair to every right solver.

It is told the right orders, and compares what was observed of a solver with them; it cannot find any.
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
"""What was observed, by the names of ``lab.watch.STREAMS``, the most telling first; no stream is empty."""


@dataclass(frozen=True)
class RightOrders:
    """The right visit orders of a solver in a maze that has a way."""

    maze: Maze
    orders: Sequence[Sequence[Position]]
    """The right visit orders, entry and exit included, the usual one first."""
    in_reach: Collection[Position]
    """The cells that can be reached from the entry."""

    @cached_property
    def tidy(self) -> frozenset[tuple[Vector, ...]]:
        """The right orders without entry and exit: the quick way to accept what was seen."""
        return frozenset(tuple(tidy(order, self.maze)) for order in self.orders)

    @cached_property
    def found(self) -> tuple[tuple[Vector, ...], ...]:
        """The right orders as they look where each cell that is found is asked at once for its moves."""
        return tuple(found for order in self.orders for found in found_orders(order, self.maze))


def is_cleared(right: RightOrders, streams: Streams, way: Sequence[Position] | None) -> bool:
    """Tell whether anything that was observed keeps to a right order, up to the exit at least."""
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
    """Return the most telling observation that shows in which order cells were visited.

    None where none does, as of a solver that read the whole maze before it searched: then the way decides,
    since of ways of equal standing the order picks one. A question about the ends alone tells nothing where a
    way was found that leads through other cells.
    """
    telling = _telling(right, streams, way)
    found = next((name for name in telling if _shows_the_order(right, name, telling[name])), None)
    if found is None:
        return None
    if found != "taken" and way is not None and shows_the_ends_only(telling[found], way, right.maze):
        return None
    return telling[found]


def nearest_order(right: RightOrders, stream: Sequence[Position]) -> tuple[Sequence[Position], int]:
    """Return the right order that the visits follow for longest, and where they leave it, as ``parting``
    does."""
    order = max(right.orders, key=lambda order: parting(order, stream, right.maze) or 0)
    return order, parting(order, stream, right.maze) or 0


def _telling(right: RightOrders, streams: Streams, way: Sequence[Position] | None) -> Streams:
    """Return the observations, without what was taken where that is only the entry and a way was found."""
    if way and searched_by_itself(streams.get("taken", ()), way, right.maze):
        return {name: stream for name, stream in streams.items() if name != "taken"}
    return streams


def _keeps_to(right: RightOrders, stream: Sequence[Position]) -> bool:
    """Tell whether the stream is a right order, up to the exit at least."""
    if tuple(tidy(stream, right.maze)) in right.tidy:
        return True
    return any(parting(order, stream, right.maze) is None for order in right.orders)


def _shows_the_order(right: RightOrders, name: str, stream: Sequence[Position]) -> bool:
    """Tell whether a stream that keeps to no right order is evidence of a wrong one.

    What is taken is visited. Cells whose moves are asked for are visited, unless all that can be reached are:
    that is reading the maze, not searching it. Single walls may also be probed from the far side; they tell
    only where they follow the passages.
    """
    if name in ("taken", "tested"):
        return name == "taken"
    if _is_scan(right, name, stream) or _holds_all(right, name, stream):
        return False
    return name == "asked" or is_exploration(stream, right.maze)


def _holds_all(right: RightOrders, name: str, stream: Sequence[Position]) -> bool:
    """Tell whether every cell in reach was asked about; entry and exit may be left out."""
    inner = set(right.in_reach) - {right.maze.entry, right.maze.exit}
    return _is_asked_about(right, name, inner, stream)


def _is_scan(right: RightOrders, name: str, stream: Sequence[Position]) -> bool:
    """Tell whether the maze was read cell by cell, row after row or column after column, from either end."""
    in_rows = sorted(stream)
    in_columns = sorted(stream, key=lambda cell: (cell[1], cell[0]))
    is_in_line = list(stream) in (in_rows, in_rows[::-1], in_columns, in_columns[::-1])
    return is_in_line and _is_asked_about(right, name, right.maze.dimension.all_positions(), stream)


def _is_asked_about(
    right: RightOrders, name: str, cells: Iterable[Position], stream: Sequence[Position]
) -> bool:
    """Tell whether all of the cells are in the stream; where single walls are probed, a cell may be left out
    whose sides were all probed from the other side."""
    known = set(stream)
    left = [Vector(*cell) for cell in cells if cell not in known]
    if name == "asked":
        return not left
    return all(cell + move in known for cell in left for move in right.maze.moves_at(cell))
