import re

from hypothesis import given

from lab import EAST, SOUTH, WEST, Maze
from lab.render.text import draw
from lab.texture import solution
from tests.lab.drawn import mazes, perfect_mazes

SMALL = Maze.from_text("+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+")


@given(mazes())
def test_without_a_way_the_text_is_the_maze(maze: Maze) -> None:
    assert draw(maze) == maze.to_text()
    assert Maze.from_text(draw(maze)) == maze


def test_the_way_is_dotted_through_cells_and_openings() -> None:
    assert draw(SMALL, solution=[SOUTH, EAST]) == "+-+-+\n|S  |\n+.+-+\n|..E|\n+-+-+"


@given(perfect_mazes())
def test_every_move_and_every_cell_between_the_ends_has_a_dot(maze: Maze) -> None:
    moves = solution(maze)
    picture = draw(maze, solution=moves)
    assert picture.count(".") == 2 * len(moves) - 1
    assert Maze.from_text(picture.replace(".", " ")) == maze


def test_a_way_through_walls_and_the_border_is_drawn_as_far_as_it_goes() -> None:
    assert draw(SMALL, solution=[EAST, SOUTH]) == "+-+-+\n|S..|\n+ +x+\n|  E|\n+-+-+"
    assert draw(SMALL, solution=[WEST, EAST]) == "+-+-+\nxS  |\n+ +-+\n|  E|\n+-+-+"


def test_colour_changes_no_sign() -> None:
    plain = draw(SMALL, solution=[SOUTH, EAST])
    coloured = draw(SMALL, solution=[SOUTH, EAST], colour=True)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert coloured.count("\x1b[32m.\x1b[0m") == 3
    assert "\x1b[1;32mS\x1b[0m" in coloured
    assert "\x1b[1;31mE\x1b[0m" in coloured
