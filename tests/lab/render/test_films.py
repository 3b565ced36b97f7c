"""Films: what is filmed, and the pictures that move."""

import re
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageSequence

from lab import EAST, SOUTH, Dimension, Factory, Generator, Maze, Solver, Vector
from lab.generators import AldousBroder
from lab.graph import passages
from lab.render.animation import to_animated_svg
from lab.render.film import Film, Moment, film_generator, film_left_hand, film_solver
from lab.render.gif import CELL, EDGE, write_gif
from lab.render.player import to_html
from reference.generators.recursive_division import RecursiveDivision
from reference.generators.registry import GENERATORS
from reference.solvers.bfs import BFS
from reference.solvers.search import Search
from tests.lab.drawn import ROOMY

B = Maze.from_text("+-+-+-+\n|S  | |\n+-+ + +\n|E    |\n+-+-+-+")


def played(film: Film) -> Maze:
    """The maze as it is when the film is over."""
    maze = film.start.copy()
    for moment in film.moments:
        if moment.wall is not None:
            (maze.break_wall if moment.is_open else maze.build_wall)(moment.cell, moment.wall)
    return maze


@given(st.sampled_from(sorted(GENERATORS)), ROOMY, st.integers(0, 99))
def test_a_film_of_a_generator_ends_with_the_maze_it_makes(
    name: str, dimension: Dimension, seed: int
) -> None:
    film = film_generator(GENERATORS[name](Random(seed)), dimension, title=name)
    assert played(film) == GENERATORS[name](Random(seed)).generate(Factory(), dimension)
    assert film.title == name


def test_only_the_last_maze_asked_for_is_filmed() -> None:
    class Twice(Generator):
        def generate(self, factory: Factory, dimension: Dimension) -> Maze:
            factory.fully_disconnected(dimension).break_wall((1, 1), EAST)
            maze = factory.fully_connected(dimension).copy()
            maze.build_wall((1, 1), SOUTH)
            return maze

    film = film_generator(Twice(Random(1)), Dimension(2, 2), title="")
    assert film.start == Factory().fully_connected(Dimension(2, 2))
    assert film.moments == (Moment(Vector(2, 1), "joined", Vector(-1, 0), is_open=False),)


def test_a_film_of_a_solver_shows_its_visits_and_then_its_way() -> None:
    film = film_solver(B, BFS, Search, title="BFS")
    visited = [moment.cell for moment in film.moments if moment.ink == "visited"]
    way = [moment.cell for moment in film.moments if moment.ink == "way"]
    assert visited == [(1, 1), (1, 2), (2, 2), (2, 3), (2, 1)]
    assert way == [(1, 1), (1, 2), (2, 2), (2, 1)]
    assert film.moments[len(visited)].ink == "way"
    assert passages(film.start) == passages(B)


def test_a_solver_that_leaves_the_maze_is_filmed_inside_of_it() -> None:
    class Lost(Solver):
        def solve(self, maze: Maze, search: Search) -> list[Vector]:
            strange: list[Any] = [Vector(1, 2), Vector(0, 7), None]
            for cell in strange:
                search.mark_as_pending(cell)
                search.first_pending()
            return [Vector(-1, 0)]

    film = film_solver(B, Lost, Search, title="Lost")
    assert film.moments == (Moment(Vector(1, 2), "visited"),)


NAMES = {"svg": "http://www.w3.org/2000/svg"}
MAKING = film_generator(AldousBroder(Random(1)), Dimension(4, 5), title="A <walk> & more")


def classed(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in picture.iter() if element.get("class") == name]


def times(picture: ElementTree.Element, name: str) -> list[int]:
    return [int(element.get("style", "").removeprefix("--t:")) for element in classed(picture, name)]


def test_a_wall_that_is_broken_vanishes_at_its_moment() -> None:
    picture = ElementTree.fromstring(to_animated_svg(MAKING))
    assert times(picture, "off") == list(range(19))


def test_a_wall_that_comes_and_goes_stands_in_between() -> None:
    start = Factory().fully_connected(Dimension(1, 2))
    moments = tuple(
        Moment(Vector(1, column), "joined", move, is_open)
        for column, move, is_open in [
            (1, EAST, False), (2, EAST.opposite(), True), (1, EAST, True), (1, EAST, False), (1, EAST, False),
        ]
    )  # fmt: skip
    picture = ElementTree.fromstring(to_animated_svg(Film("", start, moments)))
    gone = picture.findall(".//svg:g[@class='off']", NAMES)
    assert [group.get("style") for group in gone] == ["--t:1"]
    assert gone[0][0].get("style") == "--t:0"
    standing = [
        path for path in picture.findall(".//svg:g/svg:path[@class='on']", NAMES) if path not in gone[0]
    ]
    assert [path.get("style") for path in standing] == ["--t:3"]


def test_pictures_and_pages_take_nothing_from_elsewhere() -> None:
    for text in (to_animated_svg(MAKING), to_html(MAKING)):
        assert set(re.findall(r"https?://[^\"<]+", text)) == {"http://www.w3.org/2000/svg"}
        assert not re.search(r"\b(src|href|import)\b", text)


FILMS = {
    "random walk": film_generator(AldousBroder(Random(1)), Dimension(3, 4), title=""),
    "division": film_generator(RecursiveDivision(Random(1)), Dimension(3, 4), title=""),
    "left hand": film_left_hand(B, title=""),
}


def frames(film: Film, path: Path) -> list[Image.Image]:
    write_gif(film, path)
    with Image.open(path) as picture:
        return [frame.convert("RGB") for frame in ImageSequence.Iterator(picture)]


@pytest.mark.parametrize("name", FILMS)
def test_the_last_picture_shows_the_walls_of_the_finished_maze(name: str, tmp_path: Path) -> None:
    film = FILMS[name]
    maze = film.start.copy()
    for moment in film.moments:
        if moment.wall is not None:
            (maze.break_wall if moment.is_open else maze.build_wall)(moment.cell, moment.wall)
    last = frames(film, tmp_path / "film.gif")[-1]
    for cell in maze.dimension.all_positions():
        for move in maze.moves_at(cell):
            x = EDGE + CELL * (cell.column - 0.5) + move[1] * CELL / 2
            y = EDGE + CELL * (cell.row - 0.5) + move[0] * CELL / 2
            colour = last.getpixel((round(x), round(y)))
            assert isinstance(colour, tuple)
            is_dark = sum(colour) < 200
            assert is_dark == maze.is_wall(cell, move)
