from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageSequence

from lab import Dimension, Maze
from lab.generators import AldousBroder
from lab.render.film import Film, film_generator, film_left_hand
from lab.render.gif import CELL, EDGE, write_gif
from reference.generators.recursive_division import RecursiveDivision

B = Maze.from_text("+-+-+-+\n|S  | |\n+-+ + +\n|E    |\n+-+-+-+")
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


def test_there_is_a_picture_for_each_moment(tmp_path: Path) -> None:
    film = FILMS["random walk"]
    pictures = frames(film, tmp_path / "film.gif")
    assert len(pictures) == len(film.moments) + 2
    assert pictures[0].size == (4 * CELL + 2 * EDGE, 3 * CELL + 2 * EDGE)


def test_it_plays_over_and_over_at_the_speed_asked_for(tmp_path: Path) -> None:
    write_gif(FILMS["left hand"], tmp_path / "film.gif", moment_seconds=0.2)
    with Image.open(tmp_path / "film.gif") as picture:
        assert picture.info["loop"] == 0
        assert picture.info["duration"] == 200
