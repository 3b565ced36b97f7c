"""``maze check``: what it shows of good, wrong, unwritten and endless work."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from lab.commands import check
from lab.commands.errors import CommandError
from lab.exercises import BY_ID, EXERCISES
from tests.lab.mistakes.table import MISTAKES

pytestmark = pytest.mark.usefixtures("_untraced")

ROOT = Path(__file__).parents[3]
SEEN_FOR_GOOD = """
class DFS:
    def solve(self, maze, search, cell=None, seen=set()):
        cell = cell or maze.entry
        seen.add(cell)
        if maze.is_exit(cell):
            return []
        for move in maze.valid_moves_at(cell):
            if cell + move not in seen:
                way = self.solve(maze, search, cell + move, seen)
                if way is not None:
                    return [move, *way]
        return None
"""


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


def test_test_mazes_of_ones_own_are_looked_at_with_the_checker(folder: Path) -> None:
    (folder / "my_mazes").mkdir()
    (folder / "my_mazes" / "a.txt").write_text("+-+-+\n|S E|\n+-+-+\n")
    (folder / "my_mazes" / "b.txt").write_text("+-+-+\n|S  |\n+-+ +\n")
    told = run_check(folder, "perfection")
    assert "\nmy_mazes: 1 of 2 test mazes count, and are handed in with your checker\n" in told
    assert "\n  my_mazes/b.txt is no maze: line 3, column 4: expected" in told
    assert "my_mazes" not in run_check(folder, "search")


def test_a_missing_file_and_an_exception_are_told_apart(folder: Path) -> None:
    (folder / "solvers/dijkstra.py").unlink()
    path = folder / "perfection_checker.py"
    path.write_text("class PerfectionChecker:\n    def is_perfect(self, maze):\n        return 1 / 0\n")
    output = run_check(folder)
    assert f"there is no solvers/dijkstra.py in {folder}" in output
    assert (
        "    Your code raised ZeroDivisionError: division by zero\n"
        "    Traceback (your files only, most recent call last):\n"
        '      File "perfection_checker.py", line 3, in is_perfect\n'
        "        return 1 / 0\n"
    ) in output


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
    assert "Perfect mazes          0 of 15 points in sight, 2 hidden" in output
    assert re.search(r"Your own generator +1\d of 15 points in sight", output)


def test_no_pytest_is_needed(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pytest.py").write_text("raise ImportError('not here')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    assert "All public tests passed." in run_check(folder, "bfs", "generator")


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no exercise and no folder nowhere"):
        check.check(["nowhere"])
    with pytest.raises(CommandError, match="holds no exercise"):
        check.check([str(tmp_path)])


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
    assert "  25 more fail for the same reason." in output
    assert "Depth-first search" not in output
    path.write_text(right)
    assert run_check(folder, "BFS", str(folder)).endswith("Since the last time: 26 fixed.\n")
    path.write_text(right.replace("first_pending", "last_pending"))
    output = run_check(folder, "bfs")
    assert re.search(r"Since the last time: \d+ broken\.", output)
    everything = run_check(folder, "bfs", "--all")
    assert everything.count("expected: ") == everything.count("  failed: ")


def test_two_folders_are_refused() -> None:
    with pytest.raises(CommandError, match="expected one folder, got here and there; the exercises are "):
        check.check(["here", "dfs", "there"])


def test_solvers_wait_for_a_search_that_works(folder: Path) -> None:
    path = folder / "solvers/search.py"
    path.write_text(path.read_text().replace("def record(self, ", "def record("))
    (folder / "solvers/dijkstra.py").write_text("class Dijkstra:\n    pass\n")
    output = run_check(folder)
    assert output.index("The search (solvers/search.py)") < output.index("Dijkstra's algorithm (solvers")
    assert "record of Search (line 26) lacks its first parameter: it is called with self, start, " in output
    assert "DFS and BFS stand on Search: mend that first, and the 49 tests" in output
    assert "Dijkstra has no method solve." in output


@pytest.mark.parametrize("word", ["bfs.py", "solvers/bfs.py", "BFS"])
def test_an_exercise_may_be_named_by_its_file(word: str) -> None:
    assert check.folder_of([word, "student_template"]) == Path("student_template").resolve()


def test_what_one_test_leaves_behind_fails_no_other(folder: Path) -> None:
    path = folder / "solvers/dfs.py"
    path.write_text(SEEN_FOR_GOOD)
    output = run_check(folder, "dfs")
    assert "16 of 20 points in sight, 2 hidden" in output
    assert "failed: solves one maze after another, and the first again" in output
    assert "DFS is right on its own, and wrong after another maze: it returned None." in output


def test_marking_cells_when_they_are_taken_is_caught_by_the_empty_room_alone(folder: Path) -> None:
    MISTAKES["bfs-marks-when-taken"].write(folder)
    output = run_check(folder, "bfs")
    assert "12 of 20 points in sight, 2 hidden" in output
    assert "failed: crosses an empty room, where many ways lead to each cell" in output
    assert "the maze has 400 cells, and (9, 9) was visited 12870 times." in output


ASKS_WALLS = """
class BFS:
    def solve(self, maze, search):
        visited, queue = {maze.entry}, [(maze.entry, [])]
        for cell, way in queue:
            if cell == maze.exit:
                return way
            for move in (NORTH, SOUTH, EAST, WEST):
                if maze.is_valid_at(cell, move) and cell + move not in visited:
                    visited.add(cell + move)
                    queue.append((cell + move, [*way, move]))
        return None
"""


def test_an_order_that_shows_only_in_the_walls_that_are_asked_about_is_seen(folder: Path) -> None:
    (folder / "solvers/bfs.py").write_text(f"from lab import *\n{ASKS_WALLS}")
    output = run_check(folder, "bfs")
    assert "15 of 20 points in sight, 2 hidden" in output
    assert "failed: visits the cells of a maze with many branches in the right order" in output
    assert "Visit 13: here your code came to (2, 2). (1, 3) was to come next." in output


BUILDS_WALLS = """
from solvers.kept import BFS as Kept


class BFS:
    def solve(self, maze, search):
        way = Kept().solve(maze, search)
        for cell in maze.dimension.all_positions():
            for move in maze.moves_at(cell):
                maze.build_wall(cell, move)
        return way
"""


def test_one_that_builds_walls_loses_the_points_for_that_alone(folder: Path) -> None:
    (folder / "solvers/bfs.py").rename(folder / "solvers/kept.py")
    (folder / "solvers/bfs.py").write_text(BUILDS_WALLS)
    output = run_check(folder, "bfs")
    assert "17 of 20 points in sight, 2 hidden" in output
    assert "BFS changed the maze" in output
    assert "Public tests that failed: 1." in output


THE_LABS_CHECKER = """
class PerfectionChecker:
    def is_perfect(self, maze):
        visited, pending = [], [maze.entry]
        while pending:
            last = visited[-1] if visited else None
            cell = pending.pop()
            visited.append(cell)
            for move in maze.valid_moves_at(cell):
                if cell + move == last:
                    continue
                if cell + move in visited:
                    return False
                pending.append(cell + move)
        return len(visited) == maze.dimension.position_count
"""


def test_a_checker_that_says_no_of_every_branch_has_no_points_in_sight(folder: Path) -> None:
    (folder / "perfection_checker.py").write_text(THE_LABS_CHECKER)
    output = run_check(folder, "perfection")
    assert "Perfect mazes          0 of 15 points in sight, 2 hidden" in output
    assert "This counts only for a checker that tells perfect mazes from others." in run_check(
        folder, "perfection", "--all"
    )


def test_a_generator_function_is_told_as_what_it_is(folder: Path) -> None:
    (folder / "solvers/dfs.py").write_text(
        "class DFS:\n    def solve(self, maze, search):\n        yield 1\n"
    )
    assert "returned a generator, as a function with yield does; expected a list" in run_check(folder, "dfs")


def test_a_function_beside_its_class_and_a_file_of_another_name_are_told(folder: Path) -> None:
    path = folder / "solvers/bfs.py"
    path.write_text("class BFS:\n    pass\n\n\ndef solve(self, maze, search):\n    return None\n")
    (folder / "solvers/dfs.py").rename(folder / "solvers/DFS.py")
    output = run_check(folder, "bfs", "dfs")
    assert "BFS has no method solve: the one in line 5 does not belong to the class." in output
    assert '  File "solvers/bfs.py", line 5' in output
    assert "but solvers/DFS.py: is solvers/dfs.py meant?" in output


def headed(head: str) -> Callable[[Path], object]:
    """Put something above the code of a file."""
    return lambda path: path.write_text(
        head + path.read_text("utf-8").replace("from __future__", "# from"), encoding="utf-8"
    )


CAME: Sequence[tuple[Callable[[Path], object], str]] = [
    (headed("<<<<<<< HEAD\n"), "line 1 is a conflict marker"),
    (headed("Here it is:\n\n```python\n"), "line 3 is a fence (```)"),
    (headed("{\\rtf1\\ansi "), "what is in it is a text document"),
    (headed("<!DOCTYPE html>\n"), "what is in it is a web page"),
    (headed("x =\u00a01\n"), "line 1 has the letter U+00A0 NO-BREAK SPACE"),
    (headed("class A(Way): ...\nWay = list\n"), "Way is defined further down, in line 2: "),
    (
        headed("import typing\nif typing.TYPE_CHECKING:\n    from lab import Factory\nF = Factory\n"),
        "Factory is imported for type checkers only (TYPE_CHECKING), ",
    ),
    (
        headed("from search import Search\n"),
        "beside your files: is solvers.search meant?",
    ),
    (lambda path: path.rename(path.with_suffix(".pyw")), ".pyw, which is what is not called .py"),
    (lambda path: path.rename(path.with_suffix(".docx")), ".docx, which is a Word document"),
    (lambda path: path.rename(path.with_suffix(".lnk")), ".lnk, which is a shortcut"),
    (
        lambda path: path.write_text(path.read_text("utf-8"), encoding="utf-16"),
        "save it as UTF-8 (PowerShell's > writes UTF-16)",
    ),
    (lambda path: path.write_bytes(path.read_bytes() + b"\0\0"), "holds null bytes: save it as UTF-8"),
]
"""What is done to a file, and what is told of it."""


@pytest.mark.parametrize("first", range(0, len(CAME), 4))
def test_what_came_in_place_of_python_is_told(folder: Path, first: int) -> None:
    """Each exercise for itself, so that four are told at once."""
    done = dict(zip(("dfs", "bfs", "dijkstra", "generator"), CAME[first : first + 4], strict=False))
    for exercise, (change, _) in done.items():
        change(folder / BY_ID[exercise].file)
    output = run_check(folder, *done)
    assert [told for _, told in done.values() if told not in output] == []


def test_a_letter_of_another_script_is_told(folder: Path) -> None:
    path = folder / "solvers/bfs.py"
    path.write_text(path.read_text().replace("class BFS", "class \u0412FS"), encoding="utf-8")
    told = "Letter 1 of \u0412FS in line 13 is \u0412 (U+0412 CYRILLIC CAPITAL LETTER VE)"
    assert told in run_check(folder, "bfs")


def test_where_nothing_is_written_the_solvers_wait_for_search(folder: Path) -> None:
    MISTAKES["search-unwritten"].write(folder)
    output = run_check(folder, "search", "bfs", "dijkstra")
    assert "BFS and Dijkstra stand on Search: write that first" in output
    assert output.endswith("Next: write Search in solvers/search.py, then run maze check again.\n")
