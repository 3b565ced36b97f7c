import networkx
import pytest
from hypothesis import given

from lab import Maze
from lab.graph import to_networkx
from lab.texture import Texture, solution, texture
from tests.lab.drawn import SAMPLE, perfect_mazes

CORRIDOR = Maze.from_text("+-+-+-+\n|S   E|\n+-+-+-+")
CORNER = Maze.from_text("+-+-+\n|S  |\n+-+ +\n|E  |\n+-+-+")
CROSS = Maze.from_text("+-+-+-+\n|S| | |\n+ + + +\n|     |\n+ + + +\n| | |E|\n+-+-+-+")


def test_a_corridor_round_two_corners_turns_twice() -> None:
    assert texture(CORNER) == Texture(
        dead_ends=0.5, branching=0, straight_run=1, solution=3, turns=2, diameter=3
    )


def test_a_cross_of_four_runs_branches_in_its_middle_row() -> None:
    assert texture(CROSS) == Texture(
        dead_ends=6 / 9, branching=3 / 9, straight_run=2, solution=4, turns=2, diameter=4
    )


@given(perfect_mazes())
def test_lengths_are_those_that_networkx_finds(maze: Maze) -> None:
    graph = to_networkx(maze)
    found = texture(maze)
    assert found.solution == networkx.shortest_path_length(graph, maze.entry, maze.exit)
    assert found.diameter == networkx.diameter(graph)
    degrees = [degree for _, degree in graph.degree]
    assert found.dead_ends == degrees.count(1) / len(degrees)
    assert found.branching == sum(degree > 2 for degree in degrees) / len(degrees)


@given(perfect_mazes())
def test_the_solution_leads_from_the_entry_to_the_exit(maze: Maze) -> None:
    position = maze.entry
    for move in solution(maze):
        assert maze.is_valid_at(position, move)
        position = position + move
    assert maze.is_exit(position)


@pytest.mark.parametrize(
    ("maze", "message"),
    [
        (Maze.from_text(SAMPLE.replace("E", " ")), "expected a maze with an exit"),
        (Maze.from_text("+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"), "expected a perfect maze"),
        (Maze.from_text("+-+-+\n|S|E|\n+-+-+"), "expected a perfect maze"),
        (Maze.from_text("+-+-+-+\n|S  |E|\n+ + + +\n|   | |\n+-+-+-+"), "expected a perfect maze"),
    ],
)
def test_other_mazes_are_refused(maze: Maze, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        texture(maze)
