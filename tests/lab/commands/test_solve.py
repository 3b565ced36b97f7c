"""``maze solve``: what it prints of ways, wrong values and exceptions."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab.slip_sentences import SENTENCES
from tests.lab.mistakes.table import MISTAKES
from tests.lab.running import MAZE, ROOT, maze, maze_apart, refused, write_dfs

# --- solve ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["DFS", "BFS", "Dijkstra", "dfs", "dijkstra", "DIJKSTRA"])
def test_solve(folder: Path, algorithm: str) -> None:
    result = maze_apart(folder, "solve", "sample_maze.txt", "--algorithm", algorithm)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (
        "5 x 5 grid loaded from sample_maze.txt\n"
        "Solution: [south, east, north, east, east, south, south, south, east, south]\n"
    )


def test_the_installed_command_solves_too(folder: Path) -> None:
    command = [str(Path(sys.executable).parent / "maze"), "solve", "mazes/dead_end.txt"]
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert output == "2 x 3 grid loaded from mazes/dead_end.txt\nSolution: [south, east, east]\n"


def test_solve_without_a_way(folder: Path) -> None:
    assert maze(folder, "solve", "mazes/no_exit.txt").stdout.endswith("\nSolution: none\n")


def test_solve_shows_the_visited_cells_in_order(folder: Path) -> None:
    output = maze(folder, "solve", "mazes/b_long_corridor.txt", "--algorithm", "DFS", "--visited").stdout
    assert output.endswith(
        "Solution: [west, south]\nVisited: (2, 2) (2, 3) (1, 3) (1, 2) (1, 1) (2, 1) (3, 1)\n"
    )


def test_solve_from_elsewhere(folder: Path) -> None:
    result = maze(folder.parent, "solve", "ada/mazes/corridor.txt", "--submission", "ada")
    assert result.stdout.endswith("Solution: [east, east, east, east, east]\n")


def test_solve_says_so_where_no_exercise_is(folder: Path) -> None:
    assert refused(folder.parent, "solve", "ada/sample_maze.txt") == (
        "maze: the current folder holds no exercise (such as solvers/dfs.py): "
        "go to your folder, or name it with --submission DIR"
    )


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


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 'north'", "returned 'north'; expected a list of moves, or None"),
        ("return {SOUTH}", "returned {Vector(row=1, column=0)}; expected a list"),
        ("return SOUTH", "returned Vector(row=1, column=0); expected a list"),
        ("return [EAST]", "move 1 (east) runs into a wall at (1, 1)"),
        ("return [NORTH]", "move 1 (north) runs into the border at (1, 1)"),
        ("return [SOUTH, NORTH]", "move 2 (north) comes to (1, 1) a second time"),
        ("return [SOUTH]", "the moves end in (2, 1), not in the exit (5, 5)"),
        ("return []", "the moves end in (1, 1), not in the exit (5, 5)"),
        ("return ['south']", "element 1 of the list is 'south', not a move"),
        (
            "return [maze.entry]",
            "element 1 of the list is (1, 1), not a move (NORTH, EAST, SOUTH or WEST): "
            "the list holds the moves of the way, not its cells",
        ),
    ],
)
def test_a_wrong_value_is_explained(folder: Path, body: str, message: str) -> None:
    write_dfs(folder, body)
    line = refused(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    assert line.startswith(f"maze: DFS is wrong: {message}")


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


def test_an_exception_is_shown_with_the_students_own_lines_only(folder: Path) -> None:
    write_dfs(folder, "cells = []\nreturn cells.pop()")
    result = maze_apart(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    assert result.returncode == 1
    assert result.stderr == (
        "Traceback (your files only, most recent call last):\n"
        '  File "solvers/dfs.py", line 7, in solve\n'
        "    return cells.pop()\n"
        f"maze: DFS raised IndexError: pop from empty list. {SENTENCES['takes_from_nothing']}\n"
    )


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


def test_a_file_that_is_no_python_is_named_with_its_line(folder: Path) -> None:
    (folder / "solvers/bfs.py").write_text(
        "class BFS:\n    def solve(self, maze, search)\n", encoding="utf-8"
    )
    result = maze(folder, "solve", "sample_maze.txt")
    assert result.returncode == 1
    assert result.stderr == (
        '  File "solvers/bfs.py", line 2\n'
        "    def solve(self, maze, search)\n"
        "                                 ^\n"
        "maze: solvers/bfs.py cannot be read: expected ':' (bfs.py, line 2)\n"
    )


def test_a_recursion_without_a_mark_is_told_by_the_cell_that_it_comes_to_again(folder: Path) -> None:
    MISTAKES["dfs-never-marks"].write(folder)
    large = ROOT / "student_template/mazes/large.txt"
    assert re.fullmatch(
        r"maze: DFS went on for ever, and was stopped: the maze has 950 cells, "
        r"and \(\d+, \d+\) was visited \d{4,} times",
        refused(folder, "solve", str(large), "--algorithm", "DFS"),
    )


def test_missing_files_and_classes_are_named(folder: Path) -> None:
    (folder / "solvers/dfs.py").write_text("class Dfs: pass\n", encoding="utf-8")
    (folder / "solvers/bfs.py").unlink()
    wrong_name = maze(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    assert wrong_name.stderr == (
        '  File "solvers/dfs.py", line 1\n'
        "    class Dfs: pass\n"
        "          ^^^\n"
        "maze: solvers/dfs.py has no class DFS, but a class Dfs: is that the one? Its name has to be DFS.\n"
    )
    assert refused(folder, "solve", "sample_maze.txt").startswith("maze: there is no solvers/bfs.py in ")


def test_an_endless_loop_is_stopped_by_ctrl_c_and_shown(folder: Path) -> None:
    write_dfs(folder, "open('running', 'w').close()\nwhile True:\n    pass")
    with subprocess.Popen(
        [*MAZE, "solve", "sample_maze.txt", "--algorithm", "DFS"],
        cwd=folder,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as it:
        while not (folder / "running").exists():
            assert it.poll() is None
            time.sleep(0.02)
        it.send_signal(signal.SIGINT)
        try:
            _, errors = it.communicate(timeout=300)
        finally:
            it.kill()  # or a command that goes on would be waited for
    assert it.returncode == 1
    assert 'File "solvers/dfs.py", line' in errors
    assert errors.endswith("\nmaze: DFS was stopped with Ctrl-C\n")
