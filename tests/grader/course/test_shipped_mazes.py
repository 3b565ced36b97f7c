"""The mazes that ship: right orders, and each trap. ``grader verify`` measures what they catch."""

from __future__ import annotations

from collections import deque
from functools import cache

from grader.course.maze_files import MazeFile, load_maze_folder
from grader.course.rubric import SHIPPED as SHIPPED_RUBRIC
from grader.exercises.kit.facts import Facts, facts_of
from lab import Maze, Vector


@cache
def shipped() -> tuple[MazeFile, ...]:
    return tuple(load_maze_folder(SHIPPED_RUBRIC.with_name("mazes")))


@cache
def hidden() -> tuple[Facts, ...]:
    return tuple(facts_of(file.text) for file in shipped() if file.visibility == "hidden")


def breadth_first(maze: Maze) -> tuple[Vector, ...]:
    order, known, pending = [], {maze.entry}, deque([maze.entry])
    while pending:
        cell = pending.popleft()
        order.append(cell)
        if maze.is_exit(cell):
            break
        found = [cell + move for move in maze.valid_moves_at(cell) if cell + move not in known]
        known.update(found)
        pending.extend(found)
    return tuple(order)


def depth_first(maze: Maze, *, turn: int = 1) -> tuple[Vector, ...]:
    """The cells as they are visited; with -1 the moves are explored from West to North."""
    order: list[Vector] = []

    def visit(cell: Vector) -> bool:
        order.append(cell)
        return maze.is_exit(cell) or any(
            visit(cell + move) for move in maze.valid_moves_at(cell)[::turn] if cell + move not in order
        )

    visit(maze.entry)
    return tuple(order)


def name(file: MazeFile) -> str:
    return file.path.stem


def test_the_public_mazes_are_those_of_the_lab() -> None:
    assert {name(file) for file in shipped() if file.visibility == "public"} == {"a", "b", "c", "sample"}
    assert len(hidden()) >= 14


def test_the_visit_orders_are_right() -> None:
    orders = {"dfs": depth_first, "bfs": breadth_first, "dijkstra": breadth_first}
    for file in shipped():
        right = {exercise: order(file.maze) for exercise, order in orders.items() if name(file) in "abc"}
        assert file.visit_order == right, name(file)


def test_every_trap_is_there_more_than_once() -> None:
    """Few mazes with it would let a mistake through by chance."""
    traps = {
        "no exit": [facts.maze.exit is None for facts in hidden()],
        "an exit out of reach": [facts.maze.exit is not None and facts.length is None for facts in hidden()],
        "one row": [facts.dimension.row_count == 1 for facts in hidden()],
        "one column": [facts.dimension.column_count == 1 for facts in hidden()],
        "a cycle": [bool(facts.cycle) for facts in hidden()],
        "an island": [bool(facts.islands) for facts in hidden()],
        "a cycle and an island": [bool(facts.cycle and facts.islands) for facts in hidden()],
        "perfect": [facts.fault_count == 0 for facts in hidden()],
    }
    found = {trap: sum(has) for trap, has in traps.items()}
    assert min(found["no exit"], found["an exit out of reach"], found["one row"] + found["one column"]) >= 2
    assert 5 <= found["perfect"] <= len(hidden()) - 5
    assert min(found.values()) >= 1
    turned = [depth_first(file.maze, turn=-1) != depth_first(file.maze) for file in shipped()]
    assert sum(turned) >= len(shipped()) // 2
