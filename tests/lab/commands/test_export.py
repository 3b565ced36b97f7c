"""``maze export``: a maze as a picture, with its solution and without."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.lab.running import maze, maze_apart, refused

WAY = "south, east, north, east, east, south, south, south, east, south"

# --- export, generate -------------------------------------------------------------------------------


def test_export(folder: Path) -> None:
    plain = maze_apart(folder, "export", "sample_maze.txt", "plain.svg")
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


def test_a_maze_is_exported_as_one_picture(folder: Path) -> None:
    done = maze(folder, "export", "sample_maze.txt", "x.svg", "--graph", "--two-graphs")
    assert done.returncode == 2
    assert "not allowed with" in done.stderr
