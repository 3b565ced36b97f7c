"""When visits keep to the order of the contract."""

from collections import deque
from collections.abc import Sequence

import pytest
from hypothesis import given

from lab import Maze, Vector
from lab.visits import is_exploration, parting, tidy
from tests.lab.drawn import mazes, perfect_mazes

A = Maze.from_text("+-+-+-+\n|    E|\n+ + + +\n|  S  |\n+ + + +\n|     |\n+-+-+-+")
B = Maze.from_text("+-+-+-+\n|     |\n+-+-+ +\n|  S  |\n+ +-+-+\n|E    |\n+-+-+-+")
C = Maze.from_text("+-+-+-+\n|   | |\n+-+ + +\n|  S  |\n+ +-+ +\n|  E| |\n+-+-+-+")

DFS_B = [(2, 2), (2, 3), (1, 3), (1, 2), (1, 1), (2, 1), (3, 1)]
BFS_B = [(2, 2), (2, 3), (2, 1), (1, 3), (3, 1)]
BFS_A = [(2, 2), (1, 2), (2, 3), (3, 2), (2, 1), (1, 3)]
DFS_C = [(2, 2), (1, 2), (1, 1), (2, 3), (1, 3), (3, 3), (2, 1), (3, 1), (3, 2)]


def bfs(maze: Maze) -> list[Vector]:
    """Every cell that can be reached, in the order in which a queue gives them out, up to the exit."""
    order, queue = [maze.entry], deque([maze.entry])
    while queue:
        cell = queue.popleft()
        if maze.is_exit(cell):
            return [*order[: order.index(cell)], cell]
        for move in maze.valid_moves_at(cell):
            if cell + move not in order:
                order.append(cell + move)
                queue.append(cell + move)
    return order


@pytest.mark.parametrize(("maze", "order"), [(A, BFS_A), (B, DFS_B), (B, BFS_B), (C, DFS_C)])
def test_the_order_keeps_to_itself_with_and_without_its_ends(
    maze: Maze, order: Sequence[tuple[int, int]]
) -> None:
    for visits in (order, order[1:], order[:-1], order[1:-1], [*order, order[0]]):
        assert parting(order, visits, maze) is None


@pytest.mark.parametrize(
    ("maze", "order", "visits", "index"),
    [
        (B, DFS_B, [(2, 2), (2, 1), (3, 1)], 0),
        (B, BFS_B, [(2, 2), (2, 3), (1, 3), (2, 1), (3, 1)], 1),
        (C, DFS_C, [(2, 2), (1, 2), (1, 1), (2, 3), (3, 3), (1, 3)], 3),
    ],
)
def test_another_order_parts_where_the_first_cell_is_another(
    maze: Maze, order: Sequence[tuple[int, int]], visits: Sequence[tuple[int, int]], index: int
) -> None:
    assert parting(order, visits, maze) == index


def test_who_stops_when_the_exit_is_in_sight_is_right() -> None:
    assert parting(BFS_A, [(2, 2), (1, 2)], A) is None  # (1, 3) can be seen from (1, 2)
    assert parting(BFS_B, [(2, 2), (2, 3), (2, 1)], B) is None


def test_who_stops_later_than_where_the_exit_was_in_sight_is_right() -> None:
    assert parting(BFS_A, [(2, 2), (1, 2), (2, 3), (3, 2)], A) is None  # (1, 3) was seen from (1, 2)
    assert parting(BFS_A, [(2, 2), (1, 2), (3, 2)], A) == 1


def test_who_goes_on_after_the_exit_is_right() -> None:
    assert parting(BFS_B, [*BFS_B, (1, 2), (1, 1)], B) is None
    assert parting(BFS_B, [*BFS_B[:-1], (1, 2)], B) is None  # the exit itself need not be counted
    assert parting(BFS_B, [(2, 2), (2, 1), (3, 1), (2, 3), (1, 3)], B) == 0


def test_who_visits_another_cell_before_the_exit_is_not() -> None:
    corridor = Maze.from_text("+-+-+-+\n|  S E|\n+-+-+-+")
    order = [(1, 2), (1, 3)]
    assert parting(order, [(1, 2), (1, 1), (1, 3)], corridor) == 0
    assert parting(order, [(1, 2), (1, 3), (1, 1)], corridor) is None


def test_who_looks_at_the_exit_before_beginning_is_right() -> None:
    assert parting(BFS_B, [(3, 1), *BFS_B[:-1]], B) is None
    assert parting(BFS_B, [(3, 1), *BFS_B], B) is None
    assert parting(BFS_B, [(3, 1), (2, 2), (2, 1), (2, 3)], B) is not None
    assert parting(BFS_B, [(2, 2), (3, 1), *BFS_B[1:]], B) is not None


def test_who_stops_before_the_exit_is_in_sight_is_not() -> None:
    assert parting(BFS_A, [(2, 2)], A) == 0
    assert parting(DFS_B, [(2, 2), (2, 3), (1, 3)], B) == 2


def test_without_an_exit_all_must_be_visited_or_nothing() -> None:
    maze = Maze.from_text("+-+-+-+\n|S    |\n+-+-+-+")
    order = [(1, 1), (1, 2), (1, 3)]
    assert parting(order, order, maze) is None
    assert parting(order, [(1, 1)], maze) is None
    assert parting(order, [(1, 1), (1, 2)], maze) == 1


@given(mazes())
def test_a_search_explores_and_keeps_to_its_order(maze: Maze) -> None:
    order = bfs(maze)
    assert is_exploration(order, maze)
    assert parting(order, order, maze) is None


@given(perfect_mazes())
def test_a_wrong_turn_is_noticed(maze: Maze) -> None:
    order = bfs(maze)
    inner = tidy(order, maze)
    if len(inner) > 1:
        inner[0], inner[1] = inner[1], inner[0]
        assert parting(order, inner, maze) == 0


def test_jumps_and_cells_that_are_not_there_are_no_exploration() -> None:
    assert is_exploration([(2, 2), (2, 3), (2, 2), (1, 3)], B)
    assert not is_exploration([(2, 2), (1, 3)], B)
    assert not is_exploration([(2, 2), (0, 2)], A)
