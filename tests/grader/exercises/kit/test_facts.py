"""What the reference says about a maze, against the contract's table and networkx, and how it is named."""

from __future__ import annotations

import pickle

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises.kit.check import Case
from grader.exercises.kit.draw import FAMILIES
from grader.exercises.kit.facts import Facts, facts_of
from grader.exercises.registry import kind_of
from grader.languages import said
from grader.model import Call, Generate, IsPerfect, Solve
from lab import EAST, MOVES, SOUTH, Dimension, Factory, Maze, Vector
from lab.costs import costs_on
from lab.exercises import SOLVER_IDS
from lab.graph import to_networkx
from lab.way import flaw
from tests.lab.drawn import mazes_with_costs

A = "+-+-+-+\n|    E|\n+ + + +\n|  S  |\n+ + + +\n|     |\n+-+-+-+"
B = "+-+-+-+\n|     |\n+-+-+ +\n|  S  |\n+ +-+-+\n|E    |\n+-+-+-+"
C = "+-+-+-+\n|   | |\n+-+ + +\n|  S  |\n+ +-+ +\n|  E| |\n+-+-+-+"

ORDERS = {
    A: ("22 12 13", "22 12 23 32 21 13"),
    B: ("22 23 13 12 11 21 31", "22 23 21 13 31"),
    C: ("22 12 11 23 13 33 21 31 32", "22 12 23 21 11 13 33 31 32"),
}


def test_the_orders_of_the_lab() -> None:
    for text, written in ORDERS.items():
        depth, breadth = (tuple(Vector(*map(int, pair)) for pair in order.split()) for order in written)
        orders = Facts(text).orders
        assert depth in orders["dfs"]
        assert orders["bfs"] == orders["dijkstra"] == (breadth,)


def test_where_no_way_leads_to_the_exit_there_is_none_for_any_solver() -> None:
    facts = Facts("+-+-+-+\n|S  |E|\n+-+-+-+")
    assert {solver: facts.ways[solver] for solver in SOLVER_IDS} == dict.fromkeys(SOLVER_IDS, ())


@given(mazes_with_costs())
def test_no_way_costs_less_than_the_cheapest_and_none_that_costs_as_much_is_shorter(maze: Maze) -> None:
    facts, graph = Facts(maze.to_text()), to_networkx(maze)

    def cost_and_a_bit(_: object, __: object, edge: dict[str, int]) -> int:
        return 1_000 * edge["weight"] + 1

    lengths = nx.single_source_dijkstra_path_length(graph, maze.entry, weight=cost_and_a_bit)
    way = facts.cheapest_way
    assert (way is None) == (maze.exit not in lengths) == (facts.length is None)
    if way is not None and maze.exit is not None:
        assert flaw(maze, [*way]) is None
        assert (sum(costs_on(maze, way)), len(way)) == divmod(lengths[maze.exit], 1_000)
        assert facts.costs_decide == (len(way) > (facts.length or 0))


def test_facts_can_be_sent_to_another_process() -> None:
    facts = Facts(B)
    right = facts.right_orders["dfs"]
    again = pickle.loads(pickle.dumps(facts))  # noqa: S301 - our own
    assert (again.right_orders["dfs"], again.ways["bfs"]) == (right, facts.ways["bfs"])


def graph_of(maze: Maze) -> nx.Graph[object]:
    cells = maze.dimension.all_positions()
    graph: nx.Graph[object] = nx.Graph()
    graph.add_nodes_from(cells)
    graph.add_edges_from(
        (cell, cell + move) for cell in cells for move in (EAST, SOUTH) if maze.is_clear(cell, move)
    )
    return graph


@pytest.mark.parametrize("family", sorted(FAMILIES))
@given(data=st.data())
def test_facts_agree_with_networkx(family: str, data: st.DataObject) -> None:
    maze = data.draw(FAMILIES[family])
    facts, graph = Facts(maze.to_text()), graph_of(maze)
    assert facts.is_perfect == nx.is_tree(graph)
    assert facts.distances == nx.single_source_shortest_path_length(graph, maze.entry)
    assert facts.passage_count == graph.number_of_edges()
    assert bool(facts.cycle) == bool(nx.cycle_basis(graph))
    assert set(facts.islands) == set(graph) - nx.node_connected_component(graph, maze.entry)
    assert facts.part_count == nx.number_connected_components(graph)
    assert facts.fault_count == facts.part_count - 1 + len(nx.cycle_basis(graph))


@given(FAMILIES["cycles"])
def test_a_cycle_is_a_closed_walk_without_repeats(maze: Maze) -> None:
    cycle = Facts(maze.to_text()).cycle
    assert len(set(cycle)) == len(cycle) >= 4
    for here, there in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
        assert any(here + move == there for move in maze.valid_moves_at(here))


@given(FAMILIES["cycles"])
def test_every_accepted_way_leads_to_the_exit(maze: Maze) -> None:
    facts = Facts(maze.to_text())
    for name, ways in facts.ways.items():
        assert ways
        for way in ways:
            cell = maze.entry
            for move in way:
                assert move in MOVES
                assert maze.is_clear(cell, move)
                cell = cell + move
            assert cell == maze.exit
            assert name == "dfs" or len(way) == facts.length


ROOM = Factory().fully_connected(Dimension(2, 3)).to_text()
ROW = Factory().fully_connected(Dimension(1, 5)).to_text()
WALLS = Factory().fully_disconnected(Dimension(2, 2)).to_text()
TREE = "+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+"
RING = "+-+-+-+\n|S   E|\n+ + +-+\n|     |\n+-+-+-+"
RING_AND_ISLAND = "+-+-+-+\n|S   E|\n+ + +-+\n|   | |\n+-+-+-+"


@pytest.mark.parametrize(
    ("maze", "searched", "checked"),
    [
        (ROOM, "room", "room"),
        (ROW, "narrow", "narrow"),
        (WALLS, "no_way", "islands"),
        (TREE, "no_cycle", "no_cycle"),
        (TREE.replace("E", " "), "no_exit", "no_cycle"),
        (RING, "cycles", "cycles"),
        (RING_AND_ISLAND, "cycles", "cycle_and_islands"),
    ],
)
def test_a_maze_is_named_by_what_is_asked_of_it(maze: str, searched: str, checked: str) -> None:
    label = said("the_maze", name="One dead end")
    solved = Case(Call("a", Solve((maze,))), label, facts_of(maze))
    judged = Case(Call("b", IsPerfect(maze)), label, facts_of(maze))
    assert kind_of("bfs").hidden_kind(solved) == searched
    assert kind_of("perfection").hidden_kind(judged) == checked


def test_a_dimension_is_named_by_its_form() -> None:
    label = said("a_dimension", size="1 x 300")
    named = (((1, 300), "long"), ((100, 1), "long"), ((60, 60), "large"), ((24, 24), "large"))
    for dimension, name in (*named, ((1, 99), ""), ((5, 7), "")):
        case = Case(Call("a", Generate(*dimension, seed=1)), label, None)
        assert kind_of("generator").hidden_kind(case) == (f"{name}_dimension" if name else "")
