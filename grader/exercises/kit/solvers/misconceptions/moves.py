"""Wrong models of solvers that take the wrong moves for possible, or for long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, product

from grader.exercises.kit.misconception import Model
from grader.exercises.kit.solvers.exploring import (
    Ends,
    Node,
    Note,
    State,
    Style,
    in_order,
    right_styles,
    with_ends,
)
from grader.exercises.kit.solvers.runs import by_styles, steps
from lab import MOVES, Maze, Vector

Styles = Iterator[Style]

# --- the neighbours that are looked at ------------------------------------------------------------


def _through_walls(ends: Ends) -> Ends:
    def all_ends(maze: Maze, node: Node) -> list[Vector]:
        cells = [node.cell + move for move in maze.moves_at(node.cell)]
        return cells if ends is in_order else cells[::-1]

    return all_ends


_SOME_SIDES = [sides for count in (1, 2) for sides in combinations(MOVES, count)]


def _through_some_walls(exercise: str) -> Styles:
    """Yield styles for which walls do not count on one or two sides of every cell."""
    for sides, style in product(_SOME_SIDES, right_styles(exercise)):
        yield replace(style, ends=partial(_open_on, sides, style.ends is in_order))


def _open_on(sides: Sequence[Vector], forwards: bool, maze: Maze, node: Node) -> list[Vector]:
    open_ = maze.valid_moves_at(node.cell)
    cells = [node.cell + move for move in maze.moves_at(node.cell) if move in open_ or move in sides]
    return cells if forwards else cells[::-1]


Goes = Callable[[Maze, Node, Vector], bool]
"""Tells whether a solver goes from a node to a neighbour at all."""
_WITHIN: tuple[Goes, ...] = (
    lambda maze, _, cell: cell.row < maze.dimension.row_count and cell.column < maze.dimension.column_count,
    lambda maze, _, cell: cell.row < maze.dimension.row_count,
    lambda maze, _, cell: cell.column < maze.dimension.column_count,
    lambda _maze, _, cell: cell.row > 1 and cell.column > 1,
    lambda _maze, _, cell: cell.row > 1,
    lambda _maze, _, cell: cell.column > 1,
)


def _only_where(goes: Goes) -> Callable[[Ends], Ends]:
    def change(ends: Ends) -> Ends:
        return lambda maze, node: [cell for cell in ends(maze, node) if goes(maze, node, cell)]

    return change


def _without_an_edge(exercise: str) -> Styles:
    for goes in _WITHIN:
        yield from with_ends(exercise, _only_where(goes))


def _without_some_moves(exercise: str) -> Styles:
    """Yield styles that never make one or two of the four moves."""
    for missing in _SOME_SIDES:
        yield from with_ends(exercise, _only_where(partial(_goes_but, missing)))


def _goes_but(missing: Sequence[Vector], _maze: Maze, node: Node, cell: Vector) -> bool:
    return _move(node.cell, cell) not in missing


# --- the price of a move --------------------------------------------------------------------------

Dear = Callable[[Node, Vector], bool]
"""Tells whether the move from a node to a cell is one of the dearer ones."""
PRICES = ((1, 2), (1, 3), (1, 10), (2, 3), (3, 4))
"""What the others cost, and what these do: how much dearer they are is all that counts."""
_DEAR_MOVES = (*((move,) for move in MOVES), MOVES[::2], MOVES[1::2])
"""One of the four, or those up and down, or those to the sides."""


def _goes(moves: Sequence[Vector]) -> Dear:
    return lambda node, end: _move(node.cell, end) in moves


def _turns(is_so: Callable[[int], bool]) -> Dear:
    """Return a ``Dear`` by the sense of the turn: above 0 left, below 0 right, 0 straight on (or back)."""

    def is_dear(node: Node, end: Vector) -> bool:
        if node.by is None:
            return False
        before, move = _move(node.by.cell, node.cell), _move(node.cell, end)
        return is_so(before.row * move.column - before.column * move.row)

    return is_dear


def _move(start: Vector, end: Vector) -> Vector:
    (move,) = steps((start, end))
    return move


_DEAR: tuple[Dear, ...] = (
    *map(_goes, _DEAR_MOVES),
    _turns(lambda sense: sense != 0),
    _turns(lambda sense: sense == 0),
    _turns(lambda sense: sense > 0),
    _turns(lambda sense: sense < 0),
)


def _at_price(is_dear: Dear, prices: tuple[int, int], again: bool) -> Note:
    """Return a ``Note`` by which a cheaper way replaces a dearer one; the cell waits anew, or keeps its
    place."""

    def note(state: State, node: Node, end: Vector) -> None:
        cost, known = node.cost + prices[is_dear(node, end)], state.known.get(end)
        if known is not None and cost >= known.cost:
            return
        if known is None or again:
            state.known[end] = Node(end, node, cost)
            state.pending.append(state.known[end])
        else:
            known.by, known.cost = node, cost

    return note


def _with_prices(exercise: str) -> Styles:
    style = right_styles(exercise)[0]
    for is_dear, prices, again in product(_DEAR, PRICES, (True, False)):
        yield replace(style, note=_at_price(is_dear, prices, again))


MODELS = (
    # Never enters the last (or the first) row or column.
    Model("forgets-an-edge", by_styles(_without_an_edge)),
    # Takes no notice of the walls on some side of a cell.
    Model("ignores-some-walls", by_styles(_through_some_walls)),
    # Walks through walls: takes every move that stays inside the grid.
    Model("ignores-walls", by_styles(lambda exercise: with_ends(exercise, _through_walls))),
    # Never makes one or two of the four moves.
    Model("misses-a-direction", by_styles(_without_some_moves)),
    # Takes some moves for longer than others.
    Model("other-prices", by_styles(_with_prices), takes=("closest",)),
)
