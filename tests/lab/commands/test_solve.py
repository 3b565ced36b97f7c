"""``maze solve``: what it prints of ways, wrong values and exceptions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab.mistakes.table import MISTAKES
from tests.lab.running import ROOT, maze, maze_apart, refused, write_dfs

# --- solve ------------------------------------------------------------------------------------------


@pytest.mark.processes
def test_the_installed_command_solves_too(folder: Path) -> None:
    command = [str(Path(sys.executable).parent / "maze"), "solve", "mazes/dead_end.txt"]
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert output == "2 x 3 grid loaded from mazes/dead_end.txt\nSolution: [south, east, east]\n"


def test_solve_from_elsewhere(folder: Path) -> None:
    result = maze(folder.parent, "solve", "ada/mazes/corridor.txt", "--submission", "ada")
    assert result.stdout.endswith("Solution: [east, east, east, east, east]\n")


def test_a_deep_recursion_has_room(folder: Path) -> None:
    write_dfs(
        folder,
        "def go(at, seen):\n"
        "    if maze.is_exit(at): return []\n"
        "    for move in maze.valid_moves_at(at):\n"
        "        if at + move not in seen:\n"
        "            seen.add(at + move)\n"
        "            rest = go(at + move, seen)\n"
        "            if rest is not None: return [move, *rest]\n"
        "return go(maze.entry, {maze.entry})",
    )
    corridor = "+" + "-+" * 5000 + "\n|S" + " " * 9997 + "E|\n+" + "-+" * 5000 + "\n"
    (folder / "long.txt").write_text(corridor, encoding="utf-8")
    output = maze(folder, "solve", "long.txt", "--algorithm", "DFS").stdout
    assert output.count("east") == 4999


@pytest.mark.processes
@pytest.mark.parametrize("use", ["import queue\nqueue.mine()", "from queue import mine"])
def test_pythons_own_module_is_imported_as_in_the_grader(folder: Path, use: str) -> None:
    (folder / "queue.py").write_text("def mine(): return 1\n")
    (folder / "solvers" / "dfs.py").write_text(f"{use}\nclass DFS:\n    def solve(self, maze, search): ...\n")
    solved = maze_apart(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    checked = maze_apart(folder, "check", "dfs")
    assert solved.returncode == 1
    assert "0 of 20 points in sight" in checked.stdout
    for result in (solved, checked):
        assert "queue is Python's own module: rename your queue.py" in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("raise NotImplementedError", "DFS is still to be written: it raises NotImplementedError"),
        ("raise SystemExit(3)", "DFS raised SystemExit: 3"),
        ("self.solve(maze, search)", "DFS raised RecursionError: maximum recursion depth exceeded"),
    ],
)
def test_the_last_line_says_what_an_exception_means(folder: Path, body: str, line: str) -> None:
    write_dfs(folder, body)
    result = maze(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(f"maze: {line}")
    assert len(result.stderr.splitlines()) < 20


def test_a_recursion_without_a_mark_is_told_by_the_cell_that_it_comes_to_again(folder: Path) -> None:
    MISTAKES["dfs-never-marks"].write(folder)
    large = ROOT / "student_template/mazes/large.txt"
    assert re.fullmatch(
        r"maze: DFS went on for ever, and was stopped: the maze has 950 cells, "
        r"and \(\d+, \d+\) was visited \d{4,} times",
        refused(folder, "solve", str(large), "--algorithm", "DFS"),
    )
