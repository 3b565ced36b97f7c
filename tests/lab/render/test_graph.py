"""Mazes drawn as graphs: how many nodes and edges stand there, and where."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given

from lab import EAST, SOUTH, Dimension, Factory, Maze
from lab.graph import passages
from lab.render.graph import to_graph_svg, to_two_graphs_svg
from tests.lab.drawn import mazes

TREE = Maze.from_text("+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+")


def nodes(picture: str, diameter: int) -> int:
    """How many strokes of no length have this width."""
    (path,) = (line for line in picture.splitlines() if f'stroke-width="{diameter}"' in line)
    return path.count("h0")


@given(mazes())
def test_each_cell_is_a_node_and_each_passage_an_edge(maze: Maze) -> None:
    picture = to_graph_svg(maze)
    ET.fromstring(picture)
    assert nodes(picture, 10) == maze.dimension.position_count
    assert len(re.findall(r"M\d+ \d+L\d+ \d+", picture)) == len(passages(maze))


@given(mazes())
def test_each_corner_is_a_node_of_the_barriers(maze: Maze) -> None:
    picture = to_two_graphs_svg(maze)
    ET.fromstring(picture)
    size = maze.dimension
    assert nodes(picture, 6) == (size.row_count + 1) * (size.column_count + 1)
    assert nodes(picture, 10) == size.position_count


@pytest.mark.parametrize("draw", [to_graph_svg, to_two_graphs_svg])
def test_the_solution_is_drawn_along_the_edges_and_told(draw: object) -> None:
    picture = draw(TREE, solution=[SOUTH, EAST], title="A <tree>")  # type: ignore[operator]
    assert 'points="45,45 45,75 75,75"' in picture
    assert "A &lt;tree&gt;" in picture
    assert "4 cells as nodes, 3 passages as edges." in picture
    assert "A dashed green line of 2 moves" in picture


def test_the_ends_of_an_edge_are_the_middles_of_its_cells() -> None:
    assert "M45 45L75 45M45 45L45 75M45 75L75 75" in to_graph_svg(TREE)


def test_a_maze_without_passages_or_exit_can_be_drawn() -> None:
    walled = Maze.from_text("+-+-+\n|S| |\n+-+-+")
    assert "2 cells as nodes, 0 passages as edges." in to_graph_svg(walled)
    ET.fromstring(to_two_graphs_svg(Factory().fully_connected(Dimension(1, 2))))
