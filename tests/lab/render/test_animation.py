import re
from random import Random
from xml.etree import ElementTree

from lab import EAST, Dimension, Factory, Maze, Vector
from lab.generators import AldousBroder
from lab.render.animation import INKS, coloured, is_blank, to_animated_svg
from lab.render.colours import GROUND
from lab.render.film import Film, Moment, film_generator, film_left_hand
from lab.render.player import to_html

NAMES = {"svg": "http://www.w3.org/2000/svg"}
MAKING = film_generator(AldousBroder(Random(1)), Dimension(4, 5), title="A <walk> & more")
B = Maze.from_text("+-+-+-+\n|S  | |\n+-+ + +\n|E    |\n+-+-+-+")


def classed(picture: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in picture.iter() if element.get("class") == name]


def times(picture: ElementTree.Element, name: str) -> list[int]:
    return [int(element.get("style", "").removeprefix("--t:")) for element in classed(picture, name)]


def test_a_wall_that_is_broken_vanishes_at_its_moment() -> None:
    picture = ElementTree.fromstring(to_animated_svg(MAKING))
    assert times(picture, "off") == list(range(19))


def test_a_dot_marks_every_moment() -> None:
    for film in (MAKING, film_left_hand(B, title="Walk")):
        picture = ElementTree.fromstring(to_animated_svg(film))
        assert times(picture, "now") == list(range(len(film.moments)))


def test_cells_are_coloured_once_for_each_reason() -> None:
    picture = ElementTree.fromstring(to_animated_svg(film_left_hand(B, title="Walk")))
    assert len(classed(picture, "on")) == 6
    assert {element.get("fill") for element in classed(picture, "on")} == {INKS["walked"]}


def test_the_ground_is_grey_only_where_nothing_is_joined_yet() -> None:
    assert GROUND in to_animated_svg(MAKING)
    assert GROUND not in to_animated_svg(film_left_hand(B, title=""))
    assert is_blank(Factory().fully_disconnected(Dimension(2, 2)))
    assert not is_blank(B)


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


def test_two_cells_change_colour_where_a_wall_opens_and_none_where_one_closes() -> None:
    assert coloured(Moment(Vector(1, 2), "joined", Vector(0, -1))) == ((1, 1), (1, 2))
    assert coloured(Moment(Vector(1, 2), "joined", Vector(0, -1), is_open=False)) == ()
    assert coloured(Moment(Vector(1, 2), "walked")) == ((1, 2),)


def test_pictures_stand_still_where_motion_is_not_wanted() -> None:
    assert "prefers-reduced-motion" in to_animated_svg(MAKING)


def test_pictures_and_pages_take_nothing_from_elsewhere() -> None:
    for text in (to_animated_svg(MAKING), to_html(MAKING)):
        assert set(re.findall(r"https?://[^\"<]+", text)) == {"http://www.w3.org/2000/svg"}
        assert not re.search(r"\b(src|href|import)\b", text)


def test_the_title_is_a_title_and_no_markup() -> None:
    picture = ElementTree.fromstring(to_animated_svg(MAKING))
    assert picture.findtext("svg:title", namespaces=NAMES) == "A <walk> & more"
    assert picture.get("role") == "img"
    assert "<walk>" not in to_html(MAKING)


def test_the_speed_is_that_asked_for() -> None:
    assert "calc(var(--t)*0.5s)" in to_animated_svg(MAKING, moment_seconds=0.5)
    assert "const step = 500, last = 19;" in to_html(MAKING, moment_seconds=0.5)
