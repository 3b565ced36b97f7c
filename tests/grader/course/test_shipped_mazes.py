"""The mazes that ship: right visit orders, and each catches the mistake that it says."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache

import pytest

from grader.course.maze_files import MazeFile, load_maze_folder
from grader.course.rubric import SHIPPED as SHIPPED_RUBRIC
from lab import Maze, Vector

PUBLIC = {"a", "b", "c", "sample"}


@cache
def shipped() -> dict[str, MazeFile]:
    """The files that ship, by their names."""
    return {file.path.stem: file for file in load_maze_folder(SHIPPED_RUBRIC.with_name("mazes"))}


def hidden() -> list[Maze]:
    return [file.maze for file in shipped().values() if file.visibility == "hidden"]


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


def reach(maze: Maze) -> int:
    return len(breadth_first(Maze(maze.to_text().replace("E", " ").split("\n"))))


def tree_sized(maze: Maze) -> bool:
    """Tell whether there are as many passages as in a perfect maze."""
    cells = maze.dimension.all_positions()
    return sum(len(maze.valid_moves_at(cell)) for cell in cells) == 2 * (len(cells) - 1)


def all_in_reach(maze: Maze) -> bool:
    return reach(maze) == maze.dimension.position_count


def is_perfect(maze: Maze) -> bool:
    return tree_sized(maze) and all_in_reach(maze)


def length(maze: Maze) -> int | None:
    """The length of a shortest way."""
    distances = {maze.entry: 0}
    for cell in breadth_first(maze):
        for move in maze.valid_moves_at(cell):
            distances.setdefault(cell + move, distances[cell] + 1)
    return distances.get(maze.exit) if maze.exit else None


def test_the_public_mazes_are_those_of_the_lab() -> None:
    assert {name for name, file in shipped().items() if file.visibility == "public"} == PUBLIC
    assert len(hidden()) >= 14


def test_the_visit_orders_are_right() -> None:
    orders = {"dfs": depth_first, "bfs": breadth_first, "dijkstra": breadth_first}
    for name, file in shipped().items():
        right = {exercise: order(file.maze) for exercise, order in orders.items() if name in "abc"}
        assert file.visit_order == right, name


def test_the_shipped_mazes_tell_much_apart() -> None:
    """Every trap is there: few mazes with it would let a mistake through by chance."""
    no_exit = [maze for maze in hidden() if not maze.has_exit()]
    out_of_reach = [maze for maze in hidden() if maze.has_exit() and maze.exit not in breadth_first(maze)]
    one_row_or_column = [
        maze for maze in hidden() if 1 in (maze.dimension.row_count, maze.dimension.column_count)
    ]
    perfect = [maze for maze in hidden() if is_perfect(maze)]
    assert min(map(len, (no_exit, out_of_reach, one_row_or_column))) >= 2
    assert 5 <= len(perfect) <= len(hidden()) - 5


# --- each mistake is caught ---------------------------------------------------------------------


def length_without_walls(maze: Maze) -> int | None:
    if maze.exit is None:
        return None
    return abs(maze.exit.row - maze.entry.row) + abs(maze.exit.column - maze.entry.column)


def length_depth_first(maze: Maze) -> int | None:
    way: list[Vector] = []
    seen: set[Vector] = set()

    def visit(cell: Vector) -> bool:
        seen.add(cell)
        way.append(cell)
        if maze.is_exit(cell):
            return True
        moves = maze.valid_moves_at(cell)
        if any(visit(cell + move) for move in moves if cell + move not in seen):
            return True
        way.pop()
        return False

    return len(way) - 1 if visit(maze.entry) else None


def length_until_a_dead_end(maze: Maze) -> int | None:
    cell, seen = maze.entry, {maze.entry}
    while not maze.is_exit(cell):
        on = [cell + move for move in maze.valid_moves_at(cell) if cell + move not in seen]
        if not on:
            return None
        cell = on[0]
        seen.add(cell)
    return len(seen) - 1


def length_from_the_north_west(maze: Maze) -> int | None:
    moved = maze.to_text().replace("S", " ").replace("+\n| ", "+\n|S", 1)
    return length(Maze(moved.split("\n"))) if not maze.is_exit((1, 1)) else 0


def length_without_the_last_row_and_column(maze: Maze) -> int | None:
    smaller = maze.copy()
    for cell in maze.dimension.all_positions():
        for move in maze.valid_moves_at(cell):
            row, column = cell + move
            if row == maze.dimension.row_count or column == maze.dimension.column_count:
                smaller.build_wall(cell, move)
    return length(smaller)


def perfect_up_to_the_exit(maze: Maze) -> bool:
    return tree_sized(maze) and len(breadth_first(maze)) == maze.dimension.position_count


def perfect_without_a_cycle_in_reach(maze: Maze) -> bool:
    cells = breadth_first(Maze(maze.to_text().replace("E", " ").split("\n")))
    return sum(len(maze.valid_moves_at(cell)) for cell in cells) == 2 * (len(cells) - 1)


def perfect_by_the_cell_visited_last(maze: Maze) -> bool:
    """The mistake of comparing with the last visited cell, where the one before on the way is meant."""
    seen: list[Vector] = []

    def visit(cell: Vector) -> bool:
        last = seen[-1] if seen else None
        seen.append(cell)
        return all(
            visit(cell + move) if cell + move not in seen else cell + move == last
            for move in maze.valid_moves_at(cell)
        )

    return visit(maze.entry) and len(seen) == maze.dimension.position_count


LENGTHS: list[tuple[Callable[[Maze], int | None], set[str]]] = [
    (length_without_walls, {"nothing-but-walls", "spiral", "two-halves"}),
    (length_depth_first, {"exit-beside-entry", "cycle-round-the-entry"}),
    (length_until_a_dead_end, {"single-column", "middle-dead-end", "single-row"}),
    (length_from_the_north_west, {"single-row", "single-column", "middle-dead-end"}),
    (length_without_the_last_row_and_column, {"wide-and-low", "spiral", "single-row"}),
]
ANSWERS: list[tuple[Callable[[Maze], bool], set[str]]] = [
    (tree_sized, {"cycle-and-island"}),
    (all_in_reach, {"smallest-cycle", "two-equal-ways", "no-exit-with-a-cycle", "cycle-round-the-entry"}),
    (perfect_up_to_the_exit, {"single-column", "wide-and-low"}),
    (perfect_without_a_cycle_in_reach, {"nothing-but-walls", "two-halves"}),
    (perfect_by_the_cell_visited_last, {"single-column", "wide-and-low"}),
]


@pytest.mark.parametrize(("wrong", "stems"), LENGTHS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_wrong_way_is_caught(wrong: Callable[[Maze], int | None], stems: set[str]) -> None:
    assert stems <= {name for name, file in shipped().items() if wrong(file.maze) != length(file.maze)}


@pytest.mark.parametrize(("wrong", "stems"), ANSWERS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_wrong_answer_about_perfection_is_caught(wrong: Callable[[Maze], bool], stems: set[str]) -> None:
    assert stems <= {name for name, file in shipped().items() if wrong(file.maze) != is_perfect(file.maze)}


def test_exploring_west_first_is_caught() -> None:
    mazes = [file.maze for file in shipped().values()]
    caught = [maze for maze in mazes if depth_first(maze, turn=-1) != depth_first(maze)]
    assert len(caught) >= len(mazes) // 2
