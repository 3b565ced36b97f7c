"""Test mazes of a student's own are found beside the checker, whatever folders are around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.intake import read_submission
from lab.own_mazes import MOST

CHECKER = "class PerfectionChecker:\n    def is_perfect(self, maze):\n        return True\n"
MAZE = "+-+-+\n|S E|\n+-+-+\n"


def submission(folder: Path, files: dict[str, str]) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """What is read of these files: those that are no code, and the kinds of all remarks."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    read = read_submission(folder)
    mazes = {name: content for name, content in read.files.items() if name.startswith("my_mazes/")}
    return mazes, tuple(remark.kind for remark in read.remarks)


@pytest.mark.parametrize(
    ("checker", "maze"),
    [
        ("perfection_checker.py", "my_mazes/ring.txt"),
        ("lab/perfection_checker.py", "lab/my_mazes/ring.txt"),
        ("perfection_checker.py", "My_Mazes/ring.txt"),
        ("perfection_checker.py", "more/my_mazes/ring.txt"),
        ("lab/student/perfection_checker.py", "my_mazes/ring.txt"),
    ],
)
def test_they_are_taken_without_a_remark(tmp_path: Path, checker: str, maze: str) -> None:
    mazes, remarks = submission(tmp_path, {checker: CHECKER, maze: MAZE})
    assert mazes == {"my_mazes/ring.txt": MAZE.encode()}
    assert remarks == ()


def test_they_are_taken_from_one_folder_the_nearest(tmp_path: Path) -> None:
    files = {"a/my_mazes/far.txt": MAZE, "lab/old/my_mazes/near.txt": MAZE, "my_mazes.txt": MAZE}
    mazes, _ = submission(tmp_path, {"lab/perfection_checker.py": CHECKER, **files})
    assert list(mazes) == ["my_mazes/near.txt"]


def test_no_more_are_read_elsewhere_than_can_be_told(tmp_path: Path) -> None:
    files = {f"MY_MAZES/{number:02}.txt": MAZE for number in range(20)}
    mazes, _ = submission(tmp_path, {"perfection_checker.py": CHECKER, **files})
    assert len(mazes) == MOST + 1


def test_of_other_texts_none_becomes_a_maze(tmp_path: Path) -> None:
    mazes, _ = submission(
        tmp_path, {"perfection_checker.py": CHECKER, "mazes/ring.txt": MAZE, "ring.txt": MAZE}
    )
    assert mazes == {}
