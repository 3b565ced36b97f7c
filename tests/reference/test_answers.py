"""The answers, held against networkx, against each other, and against the visit orders of the lab."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import EAST, MOVES, SOUTH, Dimension, Factory, Maze, Vector
from lab.watch import Watch, WatchedMaze, watched
from lab.way import flaw
from reference.generators.my_generator import MyGenerator
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.dijkstra import Dijkstra
from reference.solvers.search import Search
from tests.lab.drawn import ROOMY, mazes
from tests.lab.test_watch import ORDERS

ROOT = Path(__file__).parents[2]
SOLVERS = (DFS, BFS, Dijkstra)


def graph_of(maze: Maze) -> Any:
    """The maze as a networkx graph, worked out from its text alone."""
    lines = maze.to_text().split("\n")
    graph: nx.Graph[tuple[int, int]] = nx.Graph()
    for row, column in maze.dimension.all_positions():
        graph.add_node((row, column))
        if lines[2 * row - 1][2 * column] == " ":
            graph.add_edge((row, column), (row, column + 1))
        if lines[2 * row][2 * column - 1] == " ":
            graph.add_edge((row, column), (row + 1, column))
    return graph


@given(mazes())
def test_solvers_find_a_way_exactly_where_networkx_does(maze: Maze) -> None:
    graph, before = graph_of(maze), maze.copy()
    reachable = maze.exit is not None and nx.has_path(graph, maze.entry, maze.exit)
    for solver in SOLVERS:
        moves = solver().solve(maze, Search())
        assert (moves is not None) == reachable
        assert flaw(maze, moves) is None
    assert maze == before


@given(mazes())
def test_shortest_ways_are_as_short_as_those_of_networkx(maze: Maze) -> None:
    graph = graph_of(maze)
    for solver in (BFS, Dijkstra):
        moves = solver().solve(maze, Search())
        if moves is not None:
            assert len(moves) == nx.shortest_path_length(graph, maze.entry, maze.exit)


@given(mazes())
def test_bfs_and_dijkstra_know_the_same_cells_at_the_same_distances(maze: Maze) -> None:
    searches = []
    for solver in (BFS, Dijkstra):
        search = Search()
        solver().solve(maze, search)
        searches.append([(cell, search.distance_to(cell)) for cell in search.known_cells])
    assert searches[0] == searches[1]


@given(mazes())
def test_perfect_means_a_tree(maze: Maze) -> None:
    assert PerfectionChecker().is_perfect(maze) is nx.is_tree(graph_of(maze))


@given(ROOMY, st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_a_perfect_maze_is_spoilt_by_any_one_change(dimension: Dimension, seed: int, luck: Random) -> None:
    maze = MyGenerator(Random(seed)).generate(Factory(), dimension)
    sides = [
        (cell, move)
        for cell in dimension.all_positions()
        for move in maze.moves_at(cell)
        if move in (EAST, SOUTH)
    ]
    cell, move = luck.choice(sides)
    change = maze.break_wall if maze.is_wall(cell, move) else maze.build_wall
    change(cell, move)
    assert not PerfectionChecker().is_perfect(maze)


def test_the_same_seed_gives_the_same_maze_in_every_version() -> None:
    maze = MyGenerator(Random(1)).generate(Factory(), Dimension(3, 4))
    assert maze.to_text().split("\n") == SEED_1


SEED_1 = ["+-+-+-+-+", "|S      |", "+-+-+-+ +", "|   |   |", "+ + + + +", "| |   |E|", "+-+-+-+-+"]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("letter", ORDERS)
def test_visit_orders(solver: Any, letter: str) -> None:
    maze, *orders = ORDERS[letter]
    watch = Watch()
    moves = solver().solve(WatchedMaze.of(maze, watch), watched(Search, watch)())
    assert watch.taken == orders[solver is not DFS]
    assert moves is not None


@pytest.mark.processes
def test_the_answers_work_as_a_submission_as_well() -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from solvers.dfs import DFS; print(DFS.__module__)"
    )
    command = [sys.executable, "-P", "-W", "error", "-c", program, str(ROOT / "reference")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "solvers.dfs\n"


# --- Search -----------------------------------------------------------------------------------------

HOME = Vector(5, 5)
scripts = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from(MOVES), st.sampled_from(["", "first", "last"]))
)


@given(scripts)
def test_search_agrees_with_a_plain_model_of_it(script: list[tuple[int, Vector, str]]) -> None:
    search = Search()
    search.mark_as_pending(HOME)
    distance, pending = {HOME: 0}, [HOME]
    for number, move, take in script:
        start = list(distance)[number % len(distance)]
        end = start + move
        search.record(start, move, end)
        if end not in distance:
            pending.append(end)
        distance[end] = min(distance[start] + 1, distance.get(end, 10**9))
        if take and pending:
            expected = pending.pop(0 if take == "first" else -1)
            assert getattr(search, f"{take}_pending")() == expected
    assert search.known_cells == tuple(distance)
    assert {cell: search.distance_to(cell) for cell in distance} == distance
    assert search.has_pending_cells() == bool(pending)
    for cell in distance:
        place = HOME
        for move in search.moves_to(cell):
            place = place + move
        assert place == cell
    while pending:
        closest = min(pending, key=distance.__getitem__)
        pending.remove(closest)
        assert search.closest_pending() == closest


@pytest.mark.parametrize("method", ["first_pending", "last_pending", "closest_pending"])
def test_taking_from_nothing_is_a_lookup_error(method: str) -> None:
    with pytest.raises(LookupError, match="no cell is pending"):
        getattr(Search(), method)()


@pytest.mark.parametrize("method", ["distance_to", "moves_to"])
def test_asking_for_an_unknown_cell_is_a_lookup_error(method: str) -> None:
    with pytest.raises(LookupError, match="is not known"):
        getattr(Search(), method)(HOME)
