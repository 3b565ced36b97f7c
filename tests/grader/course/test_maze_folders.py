"""Folders of maze files: their order, twins in them, and what would never be run."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.maze_files import load_maze_folder, load_other_mazes
from grader.errors import MazeFileError
from tests.grader.course.maze_text import GOOD


def test_a_folder_is_loaded_in_the_order_of_its_names(tmp_path: Path) -> None:
    other = (
        GOOD.replace("One", "Two")
        .replace("visit_order", "#")
        .replace("  dfs:", "  #")
        .replace("    E", " |  E")
    )
    (tmp_path / "b.yaml").write_text(GOOD)
    (tmp_path / "a.yml").write_text(other)
    for extra in ("README.md", ".hidden", "a.yml~"):
        (tmp_path / extra).write_text("no maze")
    assert [file.name for file in load_maze_folder(tmp_path)] == ["Two dead end", "One dead end"]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            "# new\n" + GOOD.replace("One", "ONE").replace("S    ", "S|   "),
            "2:7: name: the name 'ONE dead end' stands in {}/a.yaml already, in line 1: "
            "give one of them another name",
        ),
        (
            GOOD.replace("One", "Two"),
            "5:7: maze: the same drawing stands in {}/a.yaml already, in line 7: keep one of the two",
        ),
    ],
)
def test_twins_are_refused_naming_both_places(tmp_path: Path, second: str, message: str) -> None:
    lines = [line for line in second.split("\n") if "visit_order" not in line and "dfs: [" not in line]
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "b.yaml").write_text("\n".join(lines))
    with pytest.raises(MazeFileError) as caught:
        load_maze_folder(tmp_path)
    assert str(caught.value) == f"{tmp_path / 'b.yaml'}:{message.format(tmp_path)}"


def test_a_name_in_other_code_points_is_the_same_name(tmp_path: Path) -> None:
    head = "catches: c\nvisibility: hidden\nmaze: |\n  +-+-+\n  |"
    (tmp_path / "a.yaml").write_text(f"name: \u00e9\n{head}S E|\n  +-+-+\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text(f"name: e\u0301\n{head}E S|\n  +-+-+\n", encoding="utf-8")
    with pytest.raises(MazeFileError, match=r"b\.yaml:1:7: name: the name .* stands in .*a\.yaml already"):
        load_maze_folder(tmp_path)


@pytest.mark.parametrize("name", ["maze.txt", "maze.yaml.bak", "old"])
def test_what_would_never_be_run_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir() if name == "old" else (tmp_path / name).write_text(GOOD)
    with pytest.raises(MazeFileError, match=f"{name}: expected only .yaml or .yml files here"):
        load_maze_folder(tmp_path)


def test_a_folder_that_is_named_like_a_maze_is_told_as_one(tmp_path: Path) -> None:
    (tmp_path / "old.yaml").mkdir()
    with pytest.raises(MazeFileError, match=r"old\.yaml: expected a file, got a folder"):
        load_maze_folder(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MazeFileError, match="the folder of mazes cannot be read"):
        load_maze_folder(tmp_path / "nowhere")


def test_mazes_for_an_exercise_of_the_course_are_among_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "name: Corner\ncatches: c\nvisibility: public\nexercises: [graph]\nmaze: |\n  +-+\n  |S|\n  +-+\n"
    )
    found = load_other_mazes(tmp_path / "new.yaml", (), ["graph"])
    assert [maze.name for maze in found] == ["Corner"]
