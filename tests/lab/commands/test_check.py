"""``maze check``: what it shows of good, wrong, unwritten and endless work."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lab.commands import check
from lab.commands.errors import CommandError
from lab.exercises import EXERCISES

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("_untraced")]

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files of all the right answers, and nothing else."""
    for exercise in EXERCISES:
        target = tmp_path / "ada" / exercise.file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "reference" / exercise.file, target)
    return tmp_path / "ada"


def run_check(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-P", "-m", "lab.cli", "check", *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_files_named_like_modules_of_python_do_not_stop_the_tests(folder: Path) -> None:
    for name in ("json.py", "pytest.py", "conftest.py", "sitecustomize.py"):
        (folder / name).write_text("raise RuntimeError('imported')\n")
    assert "All public tests passed." in run_check(folder, "bfs")


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        ("import os; os._exit(3)", "Your code ended Python itself (status 3)."),
        ("import itertools; all(itertools.repeat(True))", "Your code did not come to an end."),
    ],
)
def test_what_cannot_be_stopped_from_within_costs_its_exercise_only(
    folder: Path, capsys: pytest.CaptureFixture[str], body: str, ending: str
) -> None:
    (folder / "perfection_checker.py").write_text(
        f"class PerfectionChecker:\n    def is_perfect(self, maze):\n        {body}\n"
    )
    check.check([str(folder), "perfection", "generator"], silence_seconds=15)
    output = capsys.readouterr().out
    assert ending in output
    assert re.search(r"Perfect mazes +0 of 15 so far; 2 are hidden, \d+ not run", output)
    assert "were not run: tests before it could not be ended." in output
    assert "Public tests that failed: 2. Tests that were not run: " in output
    assert re.search(r"Your own generator +1\d of 15 so far", output)


def test_the_folders_own_tests_are_taken_where_none_came_with_the_lab(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "template_folder", lambda: None)
    with pytest.raises(CommandError, match="there are no public tests"):
        check.check([str(folder)])
    for part in ("tests", "mazes"):
        shutil.copytree(ROOT / "student_template" / part, folder / part)
    check.check([str(folder)])
    assert "All public tests passed." in capsys.readouterr().out
    (folder / "tests" / "conftest.py").write_text("import nothing_of_that_name\n")
    with pytest.raises(CommandError, match=r"the public tests could not be run: .*nothing_of_that_name"):
        check.check([str(folder)])


def test_one_exercise_alone_and_what_has_changed_since(folder: Path) -> None:
    path = folder / "solvers/bfs.py"
    right = path.read_text()
    path.write_text(right.replace("def solve", "def slove"))
    output = run_check(folder, "bfs", "--first")
    assert "BFS has no method solve, but slove (line 16): is that the one?" in output
    assert "  30 more fail for the same reason." in output
    assert "Depth-first search" not in output
    path.write_text(right)
    assert run_check(folder, "BFS", str(folder)).endswith("Since the last time: 31 fixed.\n")
    path.write_text(right.replace("first_pending", "last_pending"))
    output = run_check(folder, "bfs")
    assert re.search(r"Since the last time: \d+ broken\.", output)
    everything = run_check(folder, "bfs", "--all")
    assert everything.count("expected: ") == everything.count("  failed: ")
