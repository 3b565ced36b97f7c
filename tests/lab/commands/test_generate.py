"""``maze generate``: mazes of both generators, and warnings about those that are not as asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import Maze
from tests.lab.running import maze, maze_apart, refused


@pytest.mark.parametrize("algorithm", ["ab", "mine"])
def test_generate(folder: Path, algorithm: str) -> None:
    arguments = ["-r", "4", "-c", "7", "--algorithm", algorithm, "--seed", "5"]
    result = maze_apart(folder, "generate", "new.txt", *arguments)
    first = Maze.from_file(folder / "new.txt")
    assert result.stdout == f"4 x 7 grid written to new.txt (seed 5)\n{first.to_text()}\n"
    maze(folder, "generate", "again.txt", *arguments)
    assert Maze.from_file(folder / "again.txt") == first
    assert str(first.dimension) == "4 x 7"


def test_generate_names_the_seed_that_it_chose(folder: Path) -> None:
    said = maze(folder, "generate", "new.txt", "-r", "4", "-c", "7").stdout.splitlines()[0]
    seed = said.removeprefix("4 x 7 grid written to new.txt (seed ").removesuffix(")")
    maze(folder, "generate", "again.txt", "-r", "4", "-c", "7", "--seed", seed)
    assert (folder / "again.txt").read_bytes() == (folder / "new.txt").read_bytes()


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ("None", "it returned None; expected a Maze"),
        ("factory.fully_connected(Dimension(9, 9))", "it made 9 x 9 cells; expected 2 x 3"),
    ],
)
def test_generate_explains_a_wrong_value(folder: Path, result: str, message: str) -> None:
    (folder / "generators/my_generator.py").write_text(
        "from lab import *\n\n\nclass MyGenerator(Generator):\n"
        f"    def generate(self, factory, dimension):\n        return {result}\n",
        encoding="utf-8",
    )
    line = refused(folder, "generate", "x.txt", "-r", "2", "-c", "3", "--algorithm", "mine")
    assert line == f"maze: MyGenerator is wrong: {message}"


@pytest.mark.parametrize(
    ("lines", "flaws"),
    [
        ("", []),
        (
            "maze.break_wall((1, 1), SOUTH); maze.break_wall((1, 2), SOUTH); maze.break_wall((1, 1), EAST); "
            "maze.break_wall((2, 1), EAST)",
            ["it is not perfect, as 2 of its 6 cells cannot be reached from the entry",
             "it is not perfect, as more than one way leads to some cells"],
        ),
        ("maze.break_wall((1, 1), EAST)",
         ["it is not perfect, as 4 of its 6 cells cannot be reached from the entry"]),
    ],
)  # fmt: skip
def test_a_maze_that_is_not_perfect_is_written_with_a_warning(
    folder: Path, lines: str, flaws: list[str]
) -> None:
    make = "AldousBroder(self.rng).generate(factory, dimension)"
    if lines:
        make = "factory.fully_disconnected(dimension)"
    (folder / "generators/my_generator.py").write_text(
        "from lab import *\nfrom lab.generators import AldousBroder\n\n\nclass MyGenerator(Generator):\n"
        f"    def generate(self, factory, dimension):\n        maze = {make}\n"
        f"        {lines or 'pass'}\n        return maze\n",
        encoding="utf-8",
    )
    result = maze(folder, "generate", "x.txt", "-r", "2", "-c", "3", "--algorithm", "mine", "--seed", "1")
    assert result.returncode == 0
    assert result.stdout.startswith("2 x 3 grid written to x.txt (seed 1)\n+-+-+-+\n")
    assert result.stderr.splitlines() == [
        f"maze: warning: the maze is not as asked for: {flaw}" for flaw in flaws
    ]
    assert (folder / "x.txt").is_file()


def test_generate_warns_of_a_maze_without_an_exit(folder: Path) -> None:
    (folder / "generators/my_generator.py").write_text(
        "from lab import *\n\n\nclass MyGenerator(Generator):\n"
        "    def generate(self, factory, dimension):\n"
        "        return Maze(['+-+-+', '|S  |', '+-+-+'])\n",
        encoding="utf-8",
    )
    result = maze(folder, "generate", "x.txt", "-r", "1", "-c", "2", "--algorithm", "mine")
    assert result.stderr == "maze: warning: the maze is not as asked for: it has no exit\n"


def test_generate_refuses_a_single_cell(folder: Path) -> None:
    assert refused(folder, "generate", "x.txt", "-r", "1", "-c", "1") == (
        "maze: a maze needs two cells or more, one for the entry and one for the exit"
    )


def test_a_walk_that_takes_hours_is_refused(folder: Path) -> None:
    result = maze_apart(folder, "generate", "new.txt", "-r", "1", "-c", "100000")
    assert result.returncode == 1
    assert "would walk some 10013 million steps for 1 x 100000" in result.stderr
