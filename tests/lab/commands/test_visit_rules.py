"""By which rule a solver took its cells: said of those that took them by it, and of no others."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, takewhile
from operator import ne

import pytest

from lab import Dimension, Factory, Maze, Vector
from lab.commands.visit_rules import VisitedMaze, rule
from lab.vector import EAST, MOVES, NORTH, SOUTH, WEST

MAZES = [
    Factory().fully_connected(Dimension(5, 6)),
    *(
        Maze.from_text(text.strip("\n"))
        for text in (
            "+-+-+-+\n|    E|\n+ + + +\n|  S  |\n+ + + +\n|     |\n+-+-+-+",
            "+-+-+-+\n|     |\n+-+-+ +\n|  S  |\n+ +-+-+\n|E    |\n+-+-+-+",
            "+-+-+-+-+\n|       |\n+ +-+-+ +\n|S     E|\n+-+-+-+-+",
        )
    ),
]
Walk = Callable[[Maze], Iterator[Vector]]


def taking(place: int, order: Sequence[Vector] = MOVES, *, marks_when_taken: bool = False) -> Walk:
    """Visit the cells that come out first (0) or last (-1) of those that wait."""

    def walk(maze: Maze) -> Iterator[Vector]:
        waiting, known = [maze.entry], {maze.entry}
        while waiting:
            cell = waiting.pop(place)
            if marks_when_taken and cell in known - {maze.entry}:
                continue
            known.add(cell)
            yield cell
            for there in [cell + move for move in order if maze.is_valid_at(cell, move)]:
                if there not in known:
                    waiting.append(there)
                    known |= set() if marks_when_taken else {there}

    return walk


def by_heap(key: Callable[[int, int, Vector], tuple[object, ...]]) -> Walk:
    """Visit the cells by distance, number and place, as the key has it."""

    def walk(maze: Maze) -> Iterator[Vector]:
        numbers = count()
        heap, known = [(key(0, next(numbers), maze.entry), 0, maze.entry)], {maze.entry}
        while heap:
            _, distance, cell = heapq.heappop(heap)
            yield cell
            for there in [cell + move for move in maze.valid_moves_at(cell)]:
                if there not in known:
                    known.add(there)
                    heapq.heappush(heap, (key(distance + 1, next(numbers), there), distance + 1, there))

    return walk


def deeper(maze: Maze) -> Iterator[Vector]:
    """Visit the cells as a recursion does."""
    known: set[Vector] = set()

    def enter(cell: Vector) -> Iterator[Vector]:
        known.add(cell)
        yield cell
        for there in [cell + move for move in maze.valid_moves_at(cell)]:
            if there not in known:
                yield from enter(there)

    return enter(maze.entry)


def said(name: str, walk: Walk) -> str:
    """What is said of a solver that visits cells like this until it comes to the exit."""
    return rule(name, [VisitedMaze(maze, [*takewhile(partial(ne, maze.exit), walk(maze))]) for maze in MAZES])


RIGHT = {
    "DFS": [deeper, taking(-1, MOVES[::-1], marks_when_taken=True)],
    "BFS": [taking(0), taking(0, marks_when_taken=True)],
    "Dijkstra": [by_heap(lambda distance, number, cell: (distance, number)), taking(0)],
}
FOUND_LAST = "Each time it took the cell that it had found last, as from a stack"
FARTHEST = "Each time it took a cell farthest from S, going deeper first"
OF_THE_CLOSEST = "Of the cells closest to S it took the one"
AS_ASKED = "explore North, East, South, West."


@pytest.mark.parametrize(("name", "walk"), [(name, walk) for name, walks in RIGHT.items() for walk in walks])
def test_nothing_is_said_of_what_is_right(name: str, walk: Walk) -> None:
    assert said(name, walk) == ""


@pytest.mark.parametrize("name", ["BFS", "Dijkstra"])
@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        (taking(-1), FOUND_LAST),
        (taking(-1, marks_when_taken=True), FOUND_LAST),
        (by_heap(lambda distance, number, cell: (-distance, -number)), FOUND_LAST),
        (by_heap(lambda distance, number, cell: (-distance, cell)), FARTHEST),
        (deeper, FARTHEST),
        (taking(-1, MOVES[::-1]), FARTHEST),
        (by_heap(lambda distance, number, cell: (distance, cell)), f"{OF_THE_CLOSEST} that is smallest as"),
        (by_heap(lambda distance, number, cell: (distance, -number)), f"{OF_THE_CLOSEST} found last"),
        (taking(0, (WEST, SOUTH, EAST, NORTH)), f"It explores West, South, East, North: {AS_ASKED}"),
        (taking(0, (NORTH, SOUTH, EAST, WEST)), f"It explores North, South, East, West: {AS_ASKED}"),
        (taking(0, (EAST, SOUTH, WEST, NORTH)), f"It explores East, South, West, North: {AS_ASKED}"),
        (by_heap(lambda distance, number, cell: (cell,)), ""),
        (by_heap(lambda distance, number, cell: (distance % 2, number)), ""),
    ],
)
def test_a_wrong_rule_is_named(name: str, walk: Walk, expected: str) -> None:
    assert said(name, walk)[: len(expected) or None] == expected


def test_a_depth_first_search_with_a_queue_is_told() -> None:
    assert said("DFS", taking(0)) == (
        "Each time it took the cell that it had found first, as from a queue: "
        "DFS takes the one that it found last."
    )
    assert said("DFS", taking(-1)) == ""  # it explores in another order, which is said anyway


def test_nothing_is_said_where_the_visits_cannot_be_seen_or_are_no_search() -> None:
    assert rule("BFS", [VisitedMaze(maze, []) for maze in MAZES]) == ""
    assert rule("BFS", [VisitedMaze(maze, maze.dimension.all_positions()[::-1]) for maze in MAZES]) == ""
    assert rule("BFS", [VisitedMaze(maze, [(0, 0), (9, 9)]) for maze in MAZES]) == ""
    assert said("WallFollower", taking(-1)) == ""


def test_nothing_is_said_of_a_solver_that_reads_the_maze_before_it_searches() -> None:
    assert rule("DFS", [VisitedMaze(maze, [*taking(0)(maze)]) for maze in MAZES]) == ""
