"""Test mazes of a student's own: which files they are, how they are read, and what does not count."""

from __future__ import annotations

import pytest

from lab import Dimension, Factory
from lab.own_mazes import MOST_SIDE, find_problem, own_mazes_among, read_own_maze

TEXT = "+-+-+\n|S E|\n+-+-+\n"


def test_they_are_the_text_files_of_one_folder() -> None:
    paths = [
        "my_mazes/b.txt",
        "my_mazes/a.TXT",
        "my_mazes/.hidden.txt",
        "my_mazes/in/c.txt",
        "a.txt",
        "my_mazes/d.py",
    ]
    assert own_mazes_among([*paths, "other/my_mazes/e.txt"]) == ["my_mazes/a.TXT", "my_mazes/b.txt"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_they_are_read_as_editors_write_them(encoding: str, line_end: str) -> None:
    content = TEXT.replace("\n", line_end).encode(encoding)
    assert read_own_maze(content).to_text() == TEXT.strip()
    assert find_problem(content) is None


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"+-+-+\n|S x|\n+-+-+", "is no maze: line 2, column 4: expected the middle of a cell"),
        (b"+-+-+\n|S\xff|\n+-+-+", "is not text in UTF-8 (line 2): save it as UTF-8"),
        (b"\xff\xfe+", "is not text in UTF-8 (line 1)"),
        (b"", "is no maze: line 1, column 1: expected a maze of at least 3 lines"),
        (
            Factory().fully_connected(Dimension(1, MOST_SIDE + 1)).to_text().encode(),
            "has 1 x 41 cells: at most 40 rows and 40 columns count",
        ),
    ],
)
def test_what_does_not_count_is_told_with_its_place(content: bytes, problem: str) -> None:
    found = find_problem(content)
    assert found is not None
    assert found.startswith(problem)
