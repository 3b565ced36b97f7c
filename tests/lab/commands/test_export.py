"""``maze export``: a maze as a picture, with its solution and without."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from tests.lab.running import maze, maze_apart, refused

# --- export, generate -------------------------------------------------------------------------------


def test_export(folder: Path) -> None:
    plain = maze_apart(folder, "export", "sample_maze.txt", "plain.svg")
    assert plain.stdout == "5 x 5 grid loaded from sample_maze.txt\nPicture written to plain.svg\n"
    solved = maze(folder, "export", "sample_maze.txt", "solved.svg", "--solution", "--algorithm", "DFS")
    assert solved.returncode == 0
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
    assert result.stdout.endswith("Picture written to x.svg (there is no solution to show)\n")
