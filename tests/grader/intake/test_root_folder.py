"""Wrapping folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.intake import read_submission
from grader.intake.selection import find_roots
from lab.exercises import FILES


@pytest.mark.parametrize("root", ["", "ada/", "lab 3/ada/", "a/b/c/"])
def test_wrapping_folders_are_unwrapped(root: str) -> None:
    assert find_roots([root + file for file in FILES]) == [root]


@pytest.mark.parametrize(
    ("paths", "root"),
    [
        (["ada/solvers/dfs.py", "README.md"], "ada/"),
        (["ada/solvers/dfs.py", "ada/perfection_checker.py", "bob/solvers/dfs.py"], "ada/"),
        (["perfection_checker.py", "old/solvers/dfs.py", "old/solvers/bfs.py"], ""),
        (["deep/er/solvers/dfs.py", "z/solvers/dfs.py"], "z/"),
        (["ada/Solvers/DFS.py"], "ada/"),
        (["ada/generators/helper.py", "ada/x.py"], "ada/"),
        (["ada/lab/x.py", "ada/lab/y.py"], "ada/lab/"),
        (["ada/lab/x.py", "ada/work/y.py"], "ada/"),
        (["x.py"], ""),
        ([], ""),
    ],
)
def test_the_root_is_the_shallowest_folder_with_an_exercise(paths: list[str], root: str) -> None:
    assert find_roots(paths)[0] == root


def test_what_is_left_outside_and_what_else_was_found_is_noted(tmp_path: Path) -> None:
    for file in ("ada/solvers/dfs.py", "ada/solvers/bfs.py", "old/solvers/dfs.py", "README.md"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(file)
    submission = read_submission(tmp_path)
    assert submission.files == {
        "solvers/dfs.py": b"ada/solvers/dfs.py",
        "solvers/bfs.py": b"ada/solvers/bfs.py",
    }
    assert submission.notes == (
        "Exercises lie in ada/, which is graded, and in old/.",
        "Outside of ada/, 2 file(s) were left out.",
    )
