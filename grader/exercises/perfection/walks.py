"""What perfection checkers answer that walk through the maze, and go wrong on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.exercises.kit.maze_features import Features
from grader.exercises.perfection.answers import Rule
from lab import Vector

# --- a neighbour that is known already ------------------------------------------------------------

Order = Callable[[Sequence[Vector]], Sequence[Vector]]
ORDERS: tuple[Order, ...] = (tuple, lambda ends: ends[::-1])


def marking_found(maze: Features, order: Order) -> bool:
    """Answer like a checker that marks cells when found, and takes known neighbours for cycles.

    Only the cell visited just before is excepted.
    """
    pending, known, before, count = [maze.maze.entry], {maze.maze.entry}, None, 0
    while pending:
        cell = pending.pop()
        count += 1
        for end in order([cell + move for move in maze.maze.valid_moves_at(cell)]):
            if end not in known:
                known.add(end)
                pending.append(end)
            elif end != before:
                return False
        before = cell
    return count == len(maze.cells)


def marking_visited(maze: Features, order: Order) -> bool:
    """Answer like the same checker, but marking cells when visited."""
    pending, visited, before = [maze.maze.entry], set[Vector](), None
    while pending:
        cell = pending.pop()
        visited.add(cell)
        for end in order([cell + move for move in maze.maze.valid_moves_at(cell)]):
            if end not in visited:
                pending.append(end)
            elif end != before:
                return False
        before = cell
    return len(visited) == len(maze.cells)


# --- moves that are never made --------------------------------------------------------------------


def _walk(maze: Features, moves: Sequence[Vector]) -> tuple[int, bool]:
    """Return how many cells a search from the entry reaches by these moves, and whether it meets a known one
    that is not the cell from which it came."""
    came_from: dict[Vector, Vector | None] = {maze.maze.entry: None}
    pending, met_again = [maze.maze.entry], False
    while pending:
        cell = pending.pop()
        for end in (cell + move for move in maze.maze.valid_moves_at(cell) if move in moves):
            if end not in came_from:
                came_from[end] = cell
                pending.append(end)
            elif end != came_from[cell]:
                met_again = True
    return len(came_from), met_again


def by_some_moves(moves: Sequence[Vector]) -> Rule:
    """Return the rule of a checker that makes only these moves, and looks for cells met again."""

    def answer(maze: Features) -> bool:
        cell_count, met_again = _walk(maze, moves)
        return cell_count == len(maze.cells) and not met_again

    return answer
