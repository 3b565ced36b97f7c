"""Wrong models of perfection checkers that walk through the maze, and go wrong on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product, starmap

from grader.exercises.kit.code_patterns import compares_cells, without
from grader.exercises.kit.maze_features import Features
from grader.exercises.kit.misconception import Model
from grader.exercises.perfection.answers import Answer, Rule, by_features
from lab import MOVES, Vector

# --- a neighbour that is known already ------------------------------------------------------------

Order = Callable[[Sequence[Vector]], Sequence[Vector]]
_ORDERS: tuple[Order, ...] = (tuple, lambda ends: ends[::-1])


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


def _marking_visited(maze: Features, order: Order) -> bool:
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


def _one_way_on(maze: Features, order: Order) -> bool:
    """Answer like a checker that goes on to each cell's first new neighbour, and forgets the others."""
    cell, known = maze.maze.entry, {maze.maze.entry}
    while new := [end for move in maze.maze.valid_moves_at(cell) if (end := cell + move) not in known]:
        cell = order(new)[0]
        known.add(cell)
    return len(known) == len(maze.cells) and maze.perfect


# --- moves that are never made --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Walk:
    """What a search from the entry meets if it makes only some of the moves."""

    cell_count: int
    end_count: int
    """The total number of neighbours of all these cells, repeats included."""
    met_again: bool
    """Whether one of them was known, and was not the cell from which the search came."""


def _walk(maze: Features, moves: Sequence[Vector]) -> _Walk:
    came_from: dict[Vector, Vector | None] = {maze.maze.entry: None}
    pending, end_count, met_again = [maze.maze.entry], 0, False
    while pending:
        cell = pending.pop()
        for end in (cell + move for move in maze.maze.valid_moves_at(cell) if move in moves):
            end_count += 1
            if end not in came_from:
                came_from[end] = cell
                pending.append(end)
            elif end != came_from[cell]:
                met_again = True
    return _Walk(len(came_from), end_count, met_again)


_IS_TREE: tuple[Callable[[Features, _Walk], bool], ...] = (
    lambda _, walk: not walk.met_again,
    lambda maze, walk: walk.end_count == 2 * (len(maze.cells) - 1),
    lambda maze, walk: walk.end_count // 2 == len(maze.cells) - 1,
    lambda maze, _: len(maze.edges) == len(maze.cells) - 1,
)
"""How checkers continue once they have reached every cell."""


def by_some_moves(moves: Sequence[Vector], is_tree: Callable[[Features, _Walk], bool] | None = None) -> Rule:
    """Return the rule of a checker that makes only these moves; by default it looks for cells met again."""
    is_tree = is_tree or _IS_TREE[0]

    def answer(maze: Features) -> bool:
        walk = _walk(maze, moves)
        return walk.cell_count == len(maze.cells) and is_tree(maze, walk)

    return answer


_SOME_MOVES = [moves for count in (3, 2) for moves in combinations(MOVES, count)]
_BY_SOME_MOVES = by_features(*starmap(by_some_moves, product(_SOME_MOVES, _IS_TREE)))


def _misses_a_direction(exercise: str, answers: Sequence[Answer]) -> bool:
    """Return whether a checker misses a direction and calls some mazes perfect.

    One that finds fault with all mazes need not miss a direction.
    """
    yes = (each for each in answers if each.answer == "True" and len(each.features.cells) > 1)
    return any(yes) and _BY_SOME_MOVES(exercise, answers)


MODELS = (
    # Compares with the cell visited last instead of the one it came from.
    Model(
        "compares-with-the-last-visited",
        by_features(
            *(partial(rule, order=order) for rule in (marking_found, _marking_visited) for order in _ORDERS)
        ),
        code=compares_cells,
    ),
    # Goes on with one neighbour only, and never comes back for the others.
    Model(
        "never-turns-back",
        by_features(*(partial(_one_way_on, order=order) for order in _ORDERS)),
        code=without(compares_cells),
    ),
    # Never makes one or two of the four moves.
    Model("misses-a-direction", _misses_a_direction),
)
