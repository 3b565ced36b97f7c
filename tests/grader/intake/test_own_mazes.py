"""Test mazes of a student's own are found beside the checker, whatever folders are around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.intake import read_submission
from lab.own_mazes import MOST
from tests.grader.intake.downloads import place

CHECKER = b"class PerfectionChecker:\n    def is_perfect(self, maze):\n        return True\n"
MAZE = b"+-+-+\n|S E|\n+-+-+\n"
RING = ["my_mazes/ring.txt"]
NEAR = ["a/my_mazes/far.txt", "lab/old/my_mazes/near.txt", "my_mazes.txt"]


@pytest.mark.parametrize(
    ("checker", "handed_in", "taken"),
    [
        ("perfection_checker.py", RING, RING),
        ("lab/perfection_checker.py", ["lab/my_mazes/ring.txt"], RING),
        ("perfection_checker.py", ["My_Mazes/ring.txt"], RING),
        ("perfection_checker.py", ["more/my_mazes/ring.txt"], RING),
        ("lab/student/perfection_checker.py", RING, RING),
        ("lab/perfection_checker.py", NEAR, ["my_mazes/near.txt"]),
        ("perfection_checker.py", ["mazes/ring.txt", "ring.txt"], []),
        (
            "perfection_checker.py",
            [f"MY_MAZES/{n:02}.txt" for n in range(20)],
            [f"my_mazes/{n:02}.txt" for n in range(MOST + 1)],
        ),
    ],
)
def test_they_are_taken_from_the_nearest_folder_without_a_question(
    tmp_path: Path, checker: str, handed_in: list[str], taken: list[str]
) -> None:
    for path in (checker, *handed_in):
        place(tmp_path, path, CHECKER if path == checker else MAZE)
    read = read_submission(tmp_path)
    assert [path for path in read.files if path.startswith("my_mazes/")] == taken
    assert all(remark.kind == "note" for remark in read.remarks)
