import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

from lab import EAST, SOUTH, WEST, Dimension, Factory, Maze
from lab.render.strokes import walls
from lab.render.svg import CELL, to_svg
from lab.texture import solution
from tests.lab.drawn import mazes, perfect_mazes

NAMES = {"svg": "http://www.w3.org/2000/svg"}
SMALL = Maze.from_text("+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+")


def parsed(maze: Maze, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(to_svg(maze, **options))


def texts(picture: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in picture.iterfind(".//svg:text", NAMES)]


@given(mazes())
def test_rows_and_columns_are_numbered_and_the_ends_are_lettered(maze: Maze) -> None:
    columns = [str(column) for column in range(1, maze.dimension.column_count + 1)]
    rows = [str(row) for row in range(1, maze.dimension.row_count + 1)]
    assert texts(parsed(maze)) == [*columns, *rows, "S", *(["E"] if maze.has_exit() else [])]


@given(mazes())
def test_every_wall_is_drawn_and_nothing_else(maze: Maze) -> None:
    drawn = set()
    for x1, y1, x2, y2 in walls(maze):
        assert x1 == x2 or y1 == y2
        drawn |= {(x, y1, "-") for x in range(x1, x2)} | {(x1, y, "|") for y in range(y1, y2)}
    expected = set()
    for cell in maze.dimension.all_positions():
        row, column = cell
        sides = {(column - 1, row - 1, "-"), (column - 1, row - 1, "|")}
        expected |= sides & {
            (column - 1, row - 1, "-") if maze.is_wall(cell, (-1, 0)) else None,
            (column - 1, row - 1, "|") if maze.is_wall(cell, WEST) else None,
        }
        expected |= {(column - 1, row, "-")} if maze.is_wall(cell, SOUTH) else set()
        expected |= {(column, row - 1, "|")} if maze.is_wall(cell, EAST) else set()
    assert drawn == expected


def test_walls_in_a_line_are_one_stroke() -> None:
    assert len(list(walls(Factory().fully_connected(Dimension(20, 30))))) == 4
    assert len(list(walls(Factory().fully_disconnected(Dimension(20, 30))))) == 21 + 31


@given(perfect_mazes())
def test_the_solution_is_a_dashed_green_line_through_the_middles(maze: Maze) -> None:
    picture = parsed(maze, solution=solution(maze))
    (line,) = picture.iterfind("svg:polyline", NAMES)
    assert line.get("stroke") == "#107c2d"
    assert line.get("stroke-dasharray")
    points = [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]
    assert len(points) == len(solution(maze)) + 1
    assert points[0] == (1.5 * CELL, 1.5 * CELL)
    assert maze.exit is not None
    assert points[-1] == ((maze.exit.column + 0.5) * CELL, (maze.exit.row + 0.5) * CELL)


def test_without_a_solution_there_is_no_line() -> None:
    assert parsed(SMALL).find("svg:polyline", NAMES) is None
    assert parsed(SMALL, solution=[]).find("svg:polyline", NAMES) is None


def test_screen_readers_are_told_what_the_picture_shows() -> None:
    picture = parsed(SMALL, solution=[SOUTH, EAST], title="Maze <small> & fine")
    assert picture.get("role") == "img"
    assert [child.tag.rpartition("}")[2] for child in picture][:2] == ["title", "desc"]
    assert picture.findtext("svg:title", namespaces=NAMES) == "Maze <small> & fine"
    assert picture.findtext("svg:desc", namespaces=NAMES) == (
        "A maze of 2 x 2 cells, the entry in (1, 1), the exit in (2, 2). "
        "A dashed green line of 2 moves leads from the entry to the exit."
    )


def test_a_way_that_misses_the_exit_is_described_as_what_it_is() -> None:
    assert "leads from the entry to (2, 1)." in to_svg(SMALL, solution=[SOUTH])
    assert "no exit" in to_svg(Maze.from_text("+-+\n|S|\n+-+"))


@pytest.mark.parametrize("title", ["\x00", "a\x1bb", "\ud800", "\ufffe", "]]>", '"<script>&'])
def test_any_title_gives_valid_xml(title: str) -> None:
    assert parsed(SMALL, title=title).findtext("svg:title", namespaces=NAMES)


def test_large_mazes_carry_every_fifth_number() -> None:
    numbers = [text for text in texts(parsed(Factory().fully_connected(Dimension(1, 60)))) if text.isdigit()]
    assert numbers == [str(number) for number in range(5, 61, 5)] + ["1"]


def test_pictures_take_nothing_from_elsewhere() -> None:
    picture = to_svg(SMALL, solution=[SOUTH, EAST])
    assert re.findall(r"https?://[^\"]+", picture) == ["http://www.w3.org/2000/svg"]
    assert "href" not in picture
