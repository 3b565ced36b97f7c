"""The page of maze trace, and what it says where a file cannot be traced."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lab.commands import student, trace
from tests.lab.commands.written_bfs import write
from tests.lab.running import maze, maze_apart, refused


def test_the_page(folder: Path) -> None:
    result = maze_apart(folder, "trace", "sample_maze.txt", "--algorithm", "DFS", "--out", "dfs.html")
    lines = result.stdout.splitlines()
    assert (result.returncode, result.stderr) == (0, "")
    assert lines[:2] == ["5 x 5 grid loaded from sample_maze.txt", "DFS returned a way of 10 moves."]
    page = (folder / "dfs.html").read_text(encoding="utf-8")
    found = re.search(r'id="recording">(.*?)</script>', page)
    assert found is not None
    assert json.loads(found[1])["total"] > 100
    assert "<title>DFS on sample_maze.txt</title>" in page


def test_the_page_of_a_20_x_20_room_is_below_a_megabyte(folder: Path) -> None:
    assert maze(folder, "trace", "mazes/room.txt", "--algorithm", "Dijkstra").returncode == 0
    assert (folder / "trace.html").stat().st_size < 1_000_000


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise NotImplementedError", "BFS is still to be written: it raises NotImplementedError"),
        ("import os; os._exit(3)", "BFS ended Python itself (status 3)"),
    ],
)
def test_what_cannot_be_followed_is_told_in_one_line(folder: Path, body: str, message: str) -> None:
    write(folder, body)
    assert refused(folder, "trace", "sample_maze.txt") == f"maze: {message}"


def test_a_solver_without_lines_of_its_own_is_told(folder: Path) -> None:
    (folder / "solvers/bfs.py").write_text("class BFS:\n    solve = print\n")
    assert refused(folder, "trace", "sample_maze.txt") == (
        "maze: BFS ran no line of its own: there is nothing to follow"
    )


def test_a_process_that_cannot_be_stopped_from_within_is_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(student, "MOST_SECONDS", 0.0)
    monkeypatch.setattr(trace, "_MORE_SECONDS", 0.0)
    write(folder, "import time; time.sleep(600)")
    assert (
        refused(folder, "trace", "sample_maze.txt")
        == "maze: BFS did not come to an end, and was ended by force"
    )


def test_what_is_too_large_or_misnamed_is_refused(folder: Path) -> None:
    assert maze(folder, "generate", "large.txt", "-r", "41", "-c", "40").returncode == 0
    assert refused(folder, "trace", "large.txt").startswith("maze: a maze of 1640 cells is too large")
    assert refused(folder, "trace", "sample_maze.txt", "--out", "page.txt") == (
        "maze: page.txt: expected a name that ends in .html"
    )
