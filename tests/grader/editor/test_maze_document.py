"""What the page begins with."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.editor.server import open_maze
from grader.shipped import folder
from lab import Dimension, Factory


def test_a_file_that_is_not_there_yet_begins_with_a_room(tmp_path: Path) -> None:
    opened = open_maze(tmp_path / "long-way.yaml")
    assert (opened.file, opened.fields.name, opened.fields.catches) == ("long-way.yaml", "Long way", "")
    assert opened.fields.maze == Factory().fully_connected(Dimension(5, 5)).to_text()
    assert (opened.head, opened.blocks) == ("", ())


MAZES = sorted((folder("grader") / "mazes").glob("*.yaml"))


@pytest.mark.parametrize("path", MAZES, ids=lambda path: path.stem)
def test_the_blocks_of_a_file_are_the_file(path: Path) -> None:
    opened = open_maze(path)
    assert opened.head + "".join(block for _, block in opened.blocks) == path.read_text(encoding="utf-8")


def test_a_comment_between_keys_and_a_mark_at_the_start_are_no_keys(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    keys = 'name: "a: b"\n# catches: nothing\ncatches: x\nvisibility: public\n'
    text = f"\ufeff# first\n\n{keys}maze: |\n  +-+\n  |S|\n  +-+"
    path.write_text(text, encoding="utf-8")
    opened = open_maze(path)
    assert opened.head == "# first\n\n"
    assert opened.blocks[0] == ("name", 'name: "a: b"\n# catches: nothing\n')
    assert [key for key, _ in opened.blocks] == ["name", "catches", "visibility", "maze"]


def test_a_hundred_rows_and_columns_can_be_edited(tmp_path: Path) -> None:
    room = Factory().fully_connected(Dimension(100, 100)).to_text().replace("\n", "\n  ")
    (tmp_path / "room.yaml").write_text(f"name: a\ncatches: b\nvisibility: hidden\nmaze: |\n  {room}\n")
    assert open_maze(tmp_path / "room.yaml").fields.maze.count("\n") == 200
