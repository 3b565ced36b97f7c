"""Takes the pending cell that is closest to the exit, or looks ahead to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from grader.misconceptions.exploring import Node, State, Style, in_order, last, with_take
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, by_styles
from lab import Maze, Vector


def _by(rank: Callable[[State, Node], tuple[int, ...]], state: State) -> Node:
    pending = state.pending
    return pending.pop(min(range(len(pending)), key=lambda at: (*rank(state, pending[at]), at)))


def _distance(state: State, cell: Vector) -> int:
    goal = state.maze.exit
    return 0 if goal is None else _between(cell, goal)


def _between(one: Vector, other: Vector) -> int:
    return abs(one.row - other.row) + abs(one.column - other.column)


def _greedy(state: State, node: Node) -> tuple[int, ...]:
    return (_distance(state, node.cell),)


def _greedy_or_homewards(state: State, node: Node) -> tuple[int, ...]:
    return (_between(node.cell, state.maze.exit or state.maze.entry),)


def _looking_ahead(state: State, node: Node) -> tuple[int, ...]:
    return (node.cost + _distance(state, node.cell),)


def _looking_far_ahead(state: State, node: Node) -> tuple[int, ...]:
    return (node.cost + _distance(state, node.cell), _distance(state, node.cell))


_TAKES = [partial(_by, rank) for rank in (_greedy, _greedy_or_homewards, _looking_ahead, _looking_far_ahead)]


def _nearest_first(maze: Maze, node: Node) -> list[Vector]:
    """A DFS that tries the neighbour first that lies nearest to the exit."""
    state = State(maze)
    return sorted(in_order(maze, node), key=lambda cell: _distance(state, cell))[::-1]


def _styles(exercise: str) -> Iterator[Style]:
    if exercise == "dfs":
        yield from with_take(exercise, last, _nearest_first)
    for take in _TAKES:
        yield from with_take(exercise, take, in_order)


MODEL = Model(
    name="towards-the-exit",
    exercises=SOLVERS,
    explains=by_styles(_styles),
    hints={
        "en": (
            "Your solver prefers cells that lie near the exit. The algorithm of this exercise knows "
            "nothing about where the exit is. By what alone does it choose the next cell?"
        ),
        "nb": (
            "Løseren din foretrekker celler som ligger nær utgangen. Algoritmen i denne oppgaven vet "
            "ingenting om hvor utgangen er. Hva er det eneste den velger neste celle etter?"
        ),
    },
)
