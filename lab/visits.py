"""The visit order, and whether a solver's observed visits agree with it.

A cell is visited when it is taken from the pending cells, or entered in a recursive solver. A solver that
stops as soon as it sees the exit has visited only a part of the order, and is right; so is one that goes on
after the exit, whatever it visits then. Whether the entry or the exit itself is counted does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product

from lab.maze import Maze, Position
from lab.steps import is_pair
from lab.vector import Vector


def tidy(visits: Iterable[Position], maze: Maze) -> list[Vector]:
    """Return each position once, in the order of first visits, without the entry and the exit."""
    inner = dict.fromkeys(visits)
    inner.pop(maze.entry, None)
    if maze.exit is not None:
        inner.pop(maze.exit, None)
    return [Vector(*position) for position in inner]


def up_to_the_exit(visits: Iterable[Position], maze: Maze) -> list[Position]:
    """Return the visits until the exit was visited; all of them if it was not."""
    seen = list(visits)
    return seen[: seen.index(maze.exit)] if maze.exit in seen else seen


def with_the_exit(visits: Iterable[Position], maze: Maze) -> list[Vector]:
    """Return each position once until the exit, which comes last if it was visited, without the entry."""
    seen = list(visits)
    found = tidy(up_to_the_exit(seen, maze), maze)
    return [*found, Vector(*maze.exit)] if maze.exit is not None and maze.exit in seen else found


def first_outside(cells: Iterable[Position], maze: Maze) -> Position | None:
    """Return the first cell outside a maze that code came to, if it went on from there; else None.

    It did where it came to a cell that is no neighbour of one of the maze's.
    """
    rows, columns = maze.dimension.row_count, maze.dimension.column_count
    outside = [cell for cell in cells if is_pair(cell) and not maze.dimension.includes(cell)]
    went_on = any(not (0 <= row <= rows + 1 and 0 <= column <= columns + 1) for row, column in outside)
    return outside[0] if went_on else None


def parting(order: Sequence[Position], visits: Iterable[Position], maze: Maze) -> int | None:
    """Return where the visits deviate from the order, as an index into ``tidy(visits, maze)``.

    None if they agree up to the exit. The index is the length of the visits if they end too early. A solver
    may look at the exit before it begins.
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
    if len(actual) >= len(expected) or _has_seen_the_exit(actual, maze):
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


def found_orders(order: Sequence[Position], maze: Maze) -> tuple[tuple[Vector, ...], ...]:
    """Return the visit order as it appears if the solver asks for each cell's moves when it finds the cell.

    Every visited cell is then followed by its neighbours, North first or last. Neighbours behind walls are
    included if the solver asks each whether it leads back.
    """
    around = (maze.valid_moves_at, maze.moves_at)
    return tuple(_found(order, maze, moves_at, turned) for moves_at, turned in product(around, (False, True)))


def _found(
    order: Sequence[Position], maze: Maze, moves_at: Callable[[Position], tuple[Vector, ...]], turned: bool
) -> tuple[Vector, ...]:
    cells: dict[Position, None] = {}
    for cell in order:
        cells[cell] = None
        if cell != maze.exit:
            here, moves = Vector(*cell), moves_at(cell)
            cells.update((here + move, None) for move in (reversed(moves) if turned else moves))
    return tuple(tidy(cells, maze))


def asks_ahead(found: Sequence[Vector], asked: Sequence[Position], maze: Maze) -> bool:
    """Return whether cells were asked about in the order in which they were found.

    That order must be complete, or end when the exit was seen. Positions outside of the grid are ignored.
    """
    cells, all_found = tidy(filter(maze.dimension.includes, asked), maze), list(found)
    return cells[: len(all_found)] == all_found or (
        all_found[: len(cells)] == cells and _sees_the_exit(asked, maze)
    )


def _sees_the_exit(asked: Iterable[Position], maze: Maze) -> bool:
    """Return whether a cell beside the exit was asked about, or the exit itself with the entry beside it."""
    inside = {Vector(*cell) for cell in asked if maze.dimension.includes(cell)}
    if maze.exit in inside:
        inside.add(maze.entry)
    return any(cell + move == maze.exit for cell in inside for move in maze.valid_moves_at(cell))


def asks_beside_new_cells(order: Sequence[Position], asked: Sequence[Position], maze: Maze) -> bool:
    """Return whether a solver that follows the order asked only about walls or moves next to unknown cells.

    Then visits to cells among known ones cannot be observed.
    """
    return bool(asked) and any(
        parting(order, _with_unseen(order, asked, maze, to_the_end), maze) is None
        for to_the_end in (False, True)
    )


def _with_unseen(
    order: Sequence[Position], asked: Sequence[Position], maze: Maze, to_the_end: bool
) -> Sequence[Position]:
    """Insert into the questions those cells of the order that have only known neighbours.

    The order is followed as far as the questions agree with it; with ``to_the_end``, such cells after the
    last question are added as well.
    """
    left, known, found = tidy(asked, maze), {maze.entry}, []
    for cell in (Vector(*position) for position in order):
        if left and cell == left[0]:
            found.append(left.pop(0))
        elif cell not in (maze.entry, maze.exit):
            is_unseen = all(cell + move in known for move in maze.moves_at(cell))
            if not is_unseen or not (left or to_the_end):
                break
            found.append(cell)
        known.update(cell + move for move in maze.valid_moves_at(cell))
    return [*found, *left]


def searched_by_itself(taken: Collection[Position], way: Iterable[Position] | None, maze: Maze) -> bool:
    """Return whether a solver took at most the entry from its search, yet found a way."""
    return maze.exit not in taken and shows_the_ends_only(taken, way, maze)


def shows_the_ends_only(stream: Iterable[Position], way: Iterable[Position] | None, maze: Maze) -> bool:
    """Return whether only entry and exit were observed, although the way has other cells."""
    ends = {maze.entry, maze.exit}
    return ends.issuperset(stream) and not cells_of(way or (), maze) <= ends


def cells_of(way: Iterable[Position], maze: Maze) -> frozenset[Vector]:
    """Return the cells along the moves from the entry, the entry included."""
    cell = maze.entry
    cells = {cell}
    for move in way:
        cell = cell + Vector(*move)
        cells.add(cell)
    return frozenset(cells)


def _has_seen_the_exit(visited: list[Vector], maze: Maze) -> bool:
    """Return whether the exit can be seen from a visited cell, or there is none."""
    if maze.exit is None:
        return not visited
    seen = {cell + move for cell in (maze.entry, *visited) for move in maze.valid_moves_at(cell)}
    return maze.exit in seen
