"""The mazes that were searched for: each kind of wrong cost finds a longer way on one of them."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

import pytest

from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.solvers.cases import detours
from lab import EAST, NORTH, SOUTH, WEST, Maze, Vector

Cost = Callable[[Maze, Vector, Vector, Vector | None], float]
"""What a move costs beside itself: the maze, the cell, the move, and the move before it."""


def length(maze: Maze, cost: Cost, hurry: float = 0.0) -> int | None:
    """The length of the way that a search finds which adds a cost, or hurries to the exit."""
    numbers, costs = count(), {maze.entry: 0.0}
    ways: dict[Vector, tuple[Vector, ...]] = {maze.entry: ()}
    heap = [(0.0, next(numbers), maze.entry)]
    done: set[Vector] = set()
    while heap:
        _, _, cell = heapq.heappop(heap)
        if cell in done:
            continue
        done.add(cell)
        if cell == maze.exit:
            return len(ways[cell])
        for move in maze.valid_moves_at(cell):
            end, before = cell + move, ways[cell][-1] if ways[cell] else None
            total = costs[cell] + 1 + cost(maze, cell, move, before)
            if total < costs.get(end, float("inf")):
                costs[end], ways[end] = total, (*ways[cell], move)
                heapq.heappush(heap, (total + hurry * crow_flies(maze, end), next(numbers), end))
    return None


def crow_flies(maze: Maze, cell: Vector) -> int:
    assert maze.exit is not None
    return abs(cell.row - maze.exit.row) + abs(cell.column - maze.exit.column)


def turns(_maze: Maze, _cell: Vector, move: Vector, before: Vector | None) -> float:
    return before not in (None, move)


def goes_straight_on(_maze: Maze, _cell: Vector, move: Vector, before: Vector | None) -> float:
    return before == move


def comes_to_a_crossing(maze: Maze, cell: Vector, move: Vector, _before: Vector | None) -> float:
    return len(maze.valid_moves_at(cell + move)) > 2


def comes_to_row(_maze: Maze, cell: Vector, move: Vector, _before: Vector | None) -> float:
    return (cell + move).row


def nothing(*_: object) -> float:
    return 0


def goes(*moves: Vector) -> Cost:
    return lambda _maze, _cell, move, _before: move in moves


COSTS: dict[str, Cost] = {
    "turns": turns,
    "straight on": goes_straight_on,
    "crossings": comes_to_a_crossing,
    "east": goes(EAST),
    "west": goes(WEST),
    "up and down": goes(NORTH, SOUTH),
    "to and fro": goes(EAST, WEST),
    "rows": comes_to_row,
}


def caught(cost: Cost, hurry: float = 0.0) -> set[str]:
    """The mazes on which the way is longer."""
    mazes = {name: facts_of(text) for name, text in detours().items()}
    return {name for name, facts in mazes.items() if length(facts.maze, cost, hurry) != facts.length}


@pytest.mark.parametrize("share", [0.34, 1, 5])
@pytest.mark.parametrize("name", COSTS)
def test_what_costs_more_shows(name: str, share: float) -> None:
    def cost(maze: Maze, cell: Vector, move: Vector, before: Vector | None) -> float:
        return share * COSTS[name](maze, cell, move, before)

    assert caught(cost)


@pytest.mark.parametrize("hurry", [1.5, 3, 10])
def test_who_hurries_to_the_exit_shows(hurry: float) -> None:
    assert caught(nothing, hurry)


def test_who_counts_moves_only_finds_a_shortest_way() -> None:
    assert not caught(nothing)
    assert not caught(nothing, hurry=1.0)
