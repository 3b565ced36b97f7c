import re
from collections.abc import Callable

import networkx
import pytest
from hypothesis import given

from lab import Dimension, Maze
from lab.graph import (
    Ends,
    adjacency_list,
    adjacency_matrix,
    doors,
    from_adjacency_list,
    from_adjacency_matrix,
    from_doors,
    from_networkx,
    from_passages,
    grid_neighbours,
    passages,
    to_networkx,
)
from tests.lab.drawn import mazes, mazes_with_costs

SMALL = Maze.from_text("+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+")
TWO = Dimension(1, 2)


def test_each_form_of_a_small_maze() -> None:
    assert adjacency_list(SMALL) == {
        (1, 1): ((1, 2), (2, 1)),
        (1, 2): ((1, 1),),
        (2, 1): ((1, 1), (2, 2)),
        (2, 2): ((2, 1),),
    }
    assert adjacency_matrix(SMALL) == [[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]]
    assert passages(SMALL) == {((1, 1), (1, 2)), ((1, 1), (2, 1)), ((2, 1), (2, 2))}
    assert doors(SMALL) == ([[True, False]], [[True], [True]])


@given(mazes())
def test_every_form_leads_back_to_the_maze(maze: Maze) -> None:
    size, ends = maze.dimension, (maze.entry, maze.exit)
    assert from_adjacency_list(adjacency_list(maze), size, ends=ends) == maze
    assert from_adjacency_matrix(adjacency_matrix(maze), size, ends=ends) == maze
    assert from_passages(passages(maze), size, ends=ends) == maze
    assert from_doors(*doors(maze), ends=ends) == maze
    assert from_networkx(to_networkx(maze), size, ends=ends) == maze


@given(mazes_with_costs())
def test_networkx_sees_the_same_graph(maze: Maze) -> None:
    graph = to_networkx(maze)
    assert from_networkx(graph, maze.dimension, ends=(maze.entry, maze.exit)) == maze
    assert graph.number_of_nodes() == maze.dimension.position_count
    assert all(set(graph[cell]) == set(others) for cell, others in adjacency_list(maze).items())
    assert graph.number_of_edges() == len(passages(maze))
    assert isinstance(graph, networkx.Graph)


def test_without_ends_the_first_and_the_last_cell_are_taken() -> None:
    assert from_passages(passages(SMALL), Dimension(2, 2)) == SMALL
    assert from_passages([], Dimension(1, 1)).exit is None
    assert from_passages([], TWO, ends=((1, 2), None)).to_text() == "+-+-+\n| |S|\n+-+-+"


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        (((1, 1), (1, 1)), "an entry and an exit in different cells, got (1, 1) twice"),
        (((0, 1), None), "an end inside the grid of 1 x 2 cells, got (0, 1)"),
    ],
)
def test_wrong_ends_are_refused(ends: Ends, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        from_passages([], TWO, ends=ends)


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (
            lambda: from_passages([((1, 1), (1, 3))], Dimension(1, 3)),
            "between neighbours, got (1, 1) to (1, 3)",
        ),
        (lambda: from_passages([((1, 2), (1, 3))], TWO), "outer border"),
        (
            lambda: from_adjacency_list({(1, 1): [(1, 2)]}, TWO),
            "expected (1, 1) among the neighbours of (1, 2)",
        ),
        (lambda: from_adjacency_matrix([[0, 1], [1]], TWO), "expected 2 entries in row [1], got 1"),
        (lambda: from_adjacency_matrix([[0, 1], [0, 0]], TWO), "the same at [1][0]: got 1 and 0"),
        (lambda: from_adjacency_matrix([[0, 2], [2, 0]], TWO), "expected 0 or 1 at [0][1] of the matrix"),
        (lambda: from_doors([], []), "a row of west-east doors for each row of cells, got none"),
        (
            lambda: from_doors([[True]], [[True], [True]]),
            "the north-south doors: expected 2 entries in row [0]",
        ),
        (
            lambda: from_networkx(networkx.Graph([((1, 1), (9, 9))]), TWO),
            "nodes inside the grid of 1 x 2 cells",
        ),
    ],
)
def test_what_is_no_maze_is_refused_with_the_place(read: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        read()


@given(mazes())
def test_the_neighbours_in_the_grid_are_where_the_moves_lead(maze: Maze) -> None:
    neighbours = grid_neighbours(maze.dimension)
    for cell in maze.dimension.all_positions():
        assert neighbours(cell) == [cell + move for move in maze.moves_at(cell)]
