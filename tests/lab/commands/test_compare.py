"""``maze race`` and ``maze perfect``: the three solvers side by side, and the checker on one maze."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lab.cli import main
from lab.exercises import EXERCISES

ROOT = Path(__file__).parents[3]
LOOP = "+-+-+-+\n|S    |\n+ +-+ +\n|     |\n+-+-+-+\n|E    |\n+-+-+-+\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for exercise in EXERCISES:
        target = tmp_path / exercise.file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "reference" / exercise.file, target)
    (tmp_path / "loop.txt").write_text(LOOP)
    (tmp_path / "room.txt").write_text("+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+\n")
    return tmp_path


def test_the_solvers_race(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    endless = (
        "class BFS:\n    def solve(self, maze, search):\n        while True: maze.valid_moves_at((1, 1))\n"
    )
    (folder / "solvers/bfs.py").write_text(endless)
    assert main(["race", str(folder / "room.txt"), "--submission", str(folder)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "solver     moves    visited",
        "DFS        2        3 cells",
        "BFS        BFS went on for ever, and was stopped: "
        "the maze has 4 cells, and (1, 1) was visited 13200 times",
        "Dijkstra   2        4 cells",
    ]


def test_a_checkers_answer_is_told_and_no_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perfect", str(folder / "loop.txt"), "--submission", str(folder)]) == 0
    assert capsys.readouterr().out.partition("\n")[2] == "PerfectionChecker says False\n"


def test_a_checker_that_returns_something_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "perfection_checker.py").write_text(
        "class PerfectionChecker:\n    def is_perfect(self, maze):\n        return 1\n"
    )
    assert main(["perfect", str(folder / "room.txt"), "--submission", str(folder)]) == 1
    assert "PerfectionChecker is wrong: it returned 1" in capsys.readouterr().err
