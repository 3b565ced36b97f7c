"""``maze export``, ``generate``, ``race`` and ``gallery``: pictures, mazes, and how they compare."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from lab import Maze
from tests.lab.running import maze, refused

WAY = "south, east, north, east, east, south, south, south, east, south"


def test_export(folder: Path) -> None:
    plain = maze(folder, "export", "sample_maze.txt", "plain.svg")
    assert plain.stdout == "5 x 5 grid loaded from sample_maze.txt\nPicture written to plain.svg\n"
    solved = maze(folder, "export", "sample_maze.txt", "solved.svg", "--solution", "--algorithm", "DFS")
    assert solved.stdout.splitlines()[1] == f"Solution: [{WAY}]"
    pictures = [(folder / name).read_text(encoding="utf-8") for name in ("plain.svg", "solved.svg")]
    for picture in pictures:
        assert ET.fromstring(picture).tag.endswith("svg")
    assert ["stroke-dasharray" in picture for picture in pictures] == [False, True]


def test_a_way_of_one_move_is_counted_in_the_singular(folder: Path) -> None:
    (folder / "short.txt").write_text("+-+-+\n|S E|\n+-+-+\n", encoding="utf-8")
    maze(folder, "export", "short.txt", "short.SVG", "--solution")
    assert "line of 1 move leads" in (folder / "short.SVG").read_text(encoding="utf-8")


def test_export_without_solution_needs_no_exercises(folder: Path) -> None:
    result = maze(folder.parent, "export", "ada/sample_maze.txt", "plain.svg")
    assert result.returncode == 0
    assert "no exercise" in refused(folder.parent, "export", "ada/sample_maze.txt", "x.svg", "--solution")


def test_export_says_when_there_is_no_solution_to_show(folder: Path) -> None:
    result = maze(folder, "export", "mazes/no_exit.txt", "x.svg", "--solution")
    assert result.stdout.endswith("Solution: none\nPicture written to x.svg (there is no solution to show)\n")


@pytest.mark.parametrize("picture", ["graph", "two-graphs"])
def test_export_of_graphs(folder: Path, picture: str) -> None:
    done = maze(folder, "export", "sample_maze.txt", "graph.svg", f"--{picture}", "--solution")
    assert f"Solution: [{WAY}]" in done.stdout
    drawn = (folder / "graph.svg").read_text(encoding="utf-8")
    assert "25 cells as nodes, 24 passages as edges" in drawn
    assert ("the graph of the barriers" in drawn) == (picture == "two-graphs")


@pytest.mark.parametrize("algorithm", ["ab", "mine"])
def test_generate(folder: Path, algorithm: str) -> None:
    arguments = ["-r", "4", "-c", "7", "--algorithm", algorithm, "--seed", "5"]
    result = maze(folder, "generate", "new.txt", *arguments)
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


def test_a_solver_that_never_ends_leaves_the_race_to_the_others(folder: Path) -> None:
    endless = (
        "class BFS:\n    def solve(self, maze, search):\n        while True: maze.valid_moves_at((1, 1))\n"
    )
    (folder / "solvers/bfs.py").write_text(endless)
    (folder / "room.txt").write_text("+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+\n")
    assert maze(folder, "race", "room.txt").stdout.splitlines()[1:] == [
        "solver     moves    visited",
        "DFS        2        3 cells",
        "BFS        BFS went on for ever, and was stopped: "
        "the maze has 4 cells, and (1, 1) was visited 13200 times",
        "Dijkstra   2        4 cells",
    ]


def test_the_students_generator_stands_beside_the_given_one(folder: Path) -> None:
    assert (
        maze(folder, "gallery", "both.html", "-r", "4", "-c", "5").stdout == "Gallery written to both.html\n"
    )
    text = (folder / "both.html").read_text(encoding="utf-8")
    assert ">AldousBroder</figcaption>" in text
    assert ">MyGenerator</figcaption>" in text
    assert "One maze of 4 x 5 cells" in text
