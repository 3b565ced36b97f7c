"""Mazes as pictures and as text: what is drawn, where, and what is told beside it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given

from lab import EAST, SOUTH, WEST, Dimension, Factory, Generator, Maze, MazeFormatError
from lab.costs import dear_steps
from lab.generators import AldousBroder
from lab.graph import passages
from lab.render import board
from lab.render.costs import LEGEND, SHADES, ink_on
from lab.render.costs import told as told_costs
from lab.render.gallery import exhibit, to_page
from lab.render.graph import to_graph_svg, to_two_graphs_svg
from lab.render.norvig import from_norvig, to_norvig
from lab.render.plot import drawing, plot
from lab.render.strokes import walls
from lab.render.svg import CELL, to_svg
from lab.render.text import draw
from lab.texture import MEASURES, average, solution, texture
from reference.generators.my_generator import MyGenerator
from tests.lab.drawn import mazes, mazes_with_costs, perfect_mazes

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


def test_screen_readers_are_told_what_the_picture_shows() -> None:
    picture = parsed(SMALL, solution=[SOUTH, EAST], title="Maze <small> & fine")
    assert picture.get("role") == "img"
    assert [child.tag.rpartition("}")[2] for child in picture][:2] == ["title", "desc"]
    assert picture.findtext("svg:title", namespaces=NAMES) == "Maze <small> & fine"
    assert picture.findtext("svg:desc", namespaces=NAMES) == (
        "A maze of 2 x 2 cells, the entry in (1, 1), the exit in (2, 2). "
        "A dashed green line of 2 moves leads from the entry to the exit."
    )


@pytest.mark.parametrize("title", ["\x00", "a\x1bb", "\ud800", "\ufffe", "]]>", '"<script>&'])
def test_any_title_gives_valid_xml(title: str) -> None:
    assert parsed(SMALL, title=title).findtext("svg:title", namespaces=NAMES)


def nodes(picture: str, diameter: int) -> int:
    """How many strokes of no length have this width."""
    (path,) = (line for line in picture.splitlines() if f'stroke-width="{diameter}"' in line)
    return path.count("h0")


@given(mazes())
def test_each_cell_is_a_node_and_each_passage_an_edge(maze: Maze) -> None:
    picture = to_graph_svg(maze)
    ElementTree.fromstring(picture)
    assert nodes(picture, 10) == maze.dimension.position_count
    assert len(re.findall(r"M\d+ \d+L\d+ \d+", picture)) == len(passages(maze))


@pytest.mark.parametrize("draw", [to_graph_svg, to_two_graphs_svg])
def test_the_solution_is_drawn_along_the_edges_and_told(draw: object) -> None:
    picture = draw(SMALL, solution=[SOUTH, EAST], title="A <tree>")  # type: ignore[operator]
    assert 'points="45,45 45,75 75,75"' in picture
    assert "A &lt;tree&gt;" in picture
    assert "4 cells as nodes, 3 passages as edges." in picture
    assert "A dashed green line of 2 moves" in picture


@given(mazes_with_costs())
def test_without_a_way_the_text_is_the_maze(maze: Maze) -> None:
    assert draw(maze) == maze.to_text()
    assert Maze.from_text(draw(maze)) == maze


def test_the_way_is_dotted_through_cells_and_openings() -> None:
    assert draw(SMALL, solution=[SOUTH, EAST]) == "+-+-+\n|S  |\n+.+-+\n|..E|\n+-+-+"


def test_a_way_through_walls_and_the_border_is_drawn_as_far_as_it_goes() -> None:
    assert draw(SMALL, solution=[EAST, SOUTH]) == "+-+-+\n|S..|\n+ +x+\n|  E|\n+-+-+"
    assert draw(SMALL, solution=[WEST, EAST]) == "+-+-+\nxS  |\n+ +-+\n|  E|\n+-+-+"


DEAR = Maze.from_text("+-+-+-+\n|S9  E|\n+ +-+ +\n| 2   |\n+-+-+-+")


def test_an_opening_on_the_way_keeps_what_it_costs() -> None:
    assert draw(DEAR, solution=[EAST, EAST]) == "+-+-+-+\n|S9..E|\n+ +-+ +\n| 2   |\n+-+-+-+"


def numbers_on(picture: str) -> list[str]:
    """The numbers on openings, from the north, and those of the legend."""
    root = ElementTree.fromstring(picture)
    groups = root.findall(".//svg:g[@class='costs']", NAMES) + root.findall(".//g[@class='costs']")
    return [element.text or "" for group in groups for element in group if element.text]


@given(mazes_with_costs())
def test_each_step_that_costs_has_its_number_in_every_picture_and_a_legend(maze: Maze) -> None:
    costs = [str(cost) for _, _, cost in dear_steps(maze)]
    for picture in (to_svg(maze), to_graph_svg(maze)):
        assert numbers_on(picture) == costs + sorted({*costs})
        assert (LEGEND in picture) == bool(costs)
    drawn_board = board.to_svg(board.draw(maze), kind="whole", label="a maze")
    assert numbers_on(drawn_board) == costs


def test_costs_are_told_to_screen_readers() -> None:
    picture = parsed(DEAR)
    told = "A step costs 1, but between these cells, by cost: 2: (2, 1)–(2, 2); 9: (1, 1)–(1, 2)."
    assert (picture.findtext("svg:desc", namespaces=NAMES) or "").endswith(told)
    wide = Maze.from_text("+" + "-+" * 50 + "\n|S" + "3 " * 48 + "3E|\n+" + "-+" * 50)
    assert told_costs(wide) == "Other steps cost 1; how many cost more, by cost: 3: 49."


@pytest.mark.parametrize(("one", "other"), [*pairwise(SHADES)])
def test_shades_are_told_apart_without_seeing_colours_and_numbers_are_read(one: int, other: int) -> None:
    light, dark = (brightness(SHADES[cost]) for cost in (one, other))
    assert light > 1.1 * dark
    for cost in (one, other):
        ends = sorted((brightness(SHADES[cost]) + 0.05, brightness(ink_on(cost)) + 0.05))
        assert ends[1] / ends[0] >= 4.5


def brightness(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


BOTH = {"Given": AldousBroder, "Mine & <yours>": MyGenerator}


def test_each_generator_shows_its_first_maze_and_the_averages_of_all() -> None:
    given, mine = exhibit(BOTH, Dimension(5, 6), seed=3, samples=4)
    generator = MyGenerator(Random(3))
    mazes = [generator.generate(Factory(), Dimension(5, 6)) for _ in range(4)]
    assert (given.name, mine.name) == tuple(BOTH)
    assert mine.maze == mazes[0]
    assert mine.figures == average(map(texture, mazes))


def test_the_page_has_a_picture_and_a_line_of_figures_for_each_and_every_definition() -> None:
    exhibits = exhibit(BOTH, Dimension(5, 6), seed=3, samples=4)
    page = to_page(exhibits, samples=4)
    assert page.count("<svg ") == page.count("<figure>") == 2
    assert page.count('<th scope="row">') == 2
    assert "Mine &amp; &lt;yours&gt;" in page
    assert "averages over 4 mazes" in page
    assert all(definition in page for definition in MEASURES.values())
    assert f"<td>{100 * exhibits[0].figures.dead_ends:.0f} %</td>" in page
    assert set(re.findall(r"https?://[^\"]+", page)) == {"http://www.w3.org/2000/svg"}


def test_a_maze_that_is_not_perfect_is_refused_with_the_name_of_its_maker() -> None:
    class Lazy(Generator):
        def generate(self, factory: Factory, dimension: Dimension) -> Maze:
            return factory.fully_connected(dimension)

    with pytest.raises(ValueError, match=r"^Lazy: expected a perfect maze"):
        exhibit({"Lazy": Lazy}, Dimension(3, 3), seed=1, samples=2)


WITH_GAPS = Maze.from_text("+-+-+-+\n|S    |\n+-+ +-+\n|    E|\n+-+-+-+")
WRITTEN = "o  o--o--o\n|        |\no--o  o--o\n|        |\no--o--o  o"


def test_a_maze_is_written_with_gaps_at_entry_and_exit() -> None:
    assert to_norvig(WITH_GAPS) == WRITTEN


@given(perfect_mazes())
def test_what_is_written_is_read_back(maze: Maze) -> None:
    assert from_norvig(to_norvig(maze)) == maze


@given(mazes_with_costs())
def test_any_maze_with_its_ends_at_these_sides_is_read_back(maze: Maze) -> None:
    lines = maze.to_text().split("\n")
    if maze.entry.row == 1 and (maze.exit is None or maze.exit.row == maze.dimension.row_count):
        assert from_norvig(to_norvig(maze)) == maze
    else:
        with pytest.raises(ValueError, match="where its gap is"):
            to_norvig(maze)
    assert maze.to_text().split("\n") == lines


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        (WRITTEN.replace("o--o  o--o", "o--o1 o--o"), 3, 5, "'--' or '  ', or what a step costs"),
        (WRITTEN.replace("o--o--o  o", "o--o3 o  o"), 5, 5, "'--' or '  '"),
        (WRITTEN[:-11], 1, 1, "2 x rows"),
        (WRITTEN.replace("o--o  o--o", "o--x  o--o"), 3, 4, "'o'"),
        (WRITTEN.replace("o--o  o--o", "o-#o  o--o"), 3, 2, "'--' or '  '"),
        (WRITTEN.replace("|        |", "|   #    |", 1), 2, 5, "'  '"),
        (WRITTEN.replace("|        |", "|  x     |", 1), 2, 4, "'|' or ' '"),
        (WRITTEN.replace("|        |", "|         ", 1), 2, 10, "'|'"),
        (WRITTEN.replace("o  o--o--o", "o  o  o--o", 1), 1, 5, "one gap"),
        (WRITTEN.replace("o--o--o  o", "o  o--o  o"), 5, 8, "one gap"),
        (WRITTEN.replace("o  o--o--o", "o--o--o--o", 1), 1, 2, "one gap, the entry"),
        ("\n\no  o\n|  |\no  o", 5, 2, "another cell"),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, line: int, column: int, expected: str) -> None:
    with pytest.raises(MazeFormatError) as caught:
        from_norvig(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert expected in caught.value.expected


def test_the_solution_is_a_red_line_through_the_middles() -> None:
    (axes,) = plot(SMALL, solution=[SOUTH, EAST]).axes
    (line,) = axes.lines
    assert line.get_color() == "red"
    assert line.get_xydata().tolist() == [[0.5, 0.5], [0.5, 1.5], [1.5, 1.5]]


def test_walls_and_letters_are_drawn() -> None:
    (axes,) = plot(SMALL).axes
    (collection,) = axes.collections
    assert [[0, 0], [2, 0]] in [segment.tolist() for segment in collection.get_segments()]
    assert len(collection.get_segments()) == 5
    assert {text.get_text(): text.get_position() for text in axes.texts} == {"S": (0.5, 0.5), "E": (1.5, 1.5)}
    assert not axes.lines


def test_the_settings_of_the_user_do_not_count_and_text_is_no_formula(tmp_path: Path) -> None:
    import matplotlib

    def draw(name: str) -> bytes:
        with drawing(tmp_path / name, salt="costs", metadata={"Description": "of costs"}) as axes:
            axes.set_title("Costs $x_ in $")
        return (tmp_path / name).read_bytes()

    usual = draw("usual.svg")
    assert all(text in usual for text in (b"Costs $x_ in $", b"of costs"))
    with matplotlib.rc_context({"axes.facecolor": "black", "savefig.facecolor": "red", "font.size": 30}):
        assert draw("own.svg") == usual
