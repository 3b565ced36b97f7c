import re
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from lab import Dimension, Factory, Generator, Maze
from lab.generators import AldousBroder
from lab.render.gallery import exhibit, to_page, to_sheet, write_gallery
from lab.texture import MEASURES, average, texture
from reference.generators.my_generator import MyGenerator

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


def test_the_sheet_is_one_picture_with_the_figures_beneath_each() -> None:
    exhibits = exhibit(BOTH, Dimension(5, 6), seed=3, samples=4)
    picture = ElementTree.fromstring(to_sheet(exhibits, samples=4))
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[::3] == list(BOTH)
    assert re.fullmatch(r"dead ends \d+ %, branching \d+ %, straight run [\d.]+", texts[1] or "")
    assert re.fullmatch(r"solution [\d.]+, turns [\d.]+, diameter [\d.]+", texts[2] or "")


@pytest.mark.parametrize(("name", "start"), [("a.svg", "<svg "), ("a.html", "<!doctype html>")])
def test_the_suffix_says_what_is_written(tmp_path: Path, name: str, start: str) -> None:
    write_gallery(tmp_path / name, BOTH, Dimension(3, 3), seed=1, samples=2)
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_a_maze_that_is_not_perfect_is_refused_with_the_name_of_its_maker() -> None:
    class Lazy(Generator):
        def generate(self, factory: Factory, dimension: Dimension) -> Maze:
            return factory.fully_connected(dimension)

    with pytest.raises(ValueError, match=r"^Lazy: expected a perfect maze"):
        exhibit({"Lazy": Lazy}, Dimension(3, 3), seed=1, samples=2)
