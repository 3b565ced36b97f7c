"""The template: its skeletons fail every public test, the reference passes them all."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from grader.model import Limits
from lab.exercises import EXERCISES
from tests.lab.running import checked

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "student_template"
ALL_PASSED = "All public tests passed."


def copy_of_template(folder: Path, *, with_answers: bool = False) -> Path:
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    if with_answers:
        for exercise in EXERCISES:
            shutil.copy(ROOT / "reference" / exercise.file, folder / exercise.file)
    return folder


def run_pytest(folder: Path, *chosen: str) -> dict[str, str]:
    """Run plain pytest as a student would; each test with "" or its failure."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    result = folder / "result.xml"
    command = [sys.executable, "-m", "pytest", f"--junitxml={result}", "-p", "no:cacheprovider", *chosen]
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    outcomes = {}
    for case in ET.parse(result).iter("testcase"):
        failures = [child.get("message", "") for child in case]
        outcomes[f"{case.get('classname')}.{case.get('name')}"] = "".join(failures)
    return outcomes


@pytest.mark.processes
def test_what_a_right_search_holds_is_written_down(tmp_path: Path) -> None:
    """Write it anew with python scripts/search_states.py."""
    written = tmp_path / "states.json"
    subprocess.run([sys.executable, "scripts/search_states.py", written], cwd=ROOT, check=True)
    assert written.read_bytes() == (TEMPLATE / "tests" / "search_states.json").read_bytes()


@pytest.mark.processes
@pytest.mark.parametrize("chosen", [(), (".",), ("tests", "test_bfs.py"), ("test_bfs.py", "tests")])
def test_own_tests_of_the_same_name_run_beside_them(tmp_path: Path, chosen: tuple[str, ...]) -> None:
    folder = copy_of_template(tmp_path / "mine", with_answers=True)
    (folder / "test_bfs.py").write_text(
        "def test_mine() -> None:\n    from solvers.bfs import BFS\n    assert BFS\n"
    )
    outcomes = run_pytest(folder, *chosen)
    assert not any(outcomes.values())
    assert len(outcomes) > 6
    assert any(name.endswith("test_mine") for name in outcomes) == bool(chosen)


@pytest.mark.processes
@pytest.mark.parametrize("file", sorted(path.name for path in (TEMPLATE / "tests").glob("test_*.py")))
def test_a_file_of_tests_that_is_run_says_how(tmp_path: Path, file: str) -> None:
    folder = copy_of_template(tmp_path / "mine")
    done = subprocess.run(
        [sys.executable, f"tests/{file}"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "This file holds tests, which do not run by themselves: type maze check, or pytest tests"
    ]


@pytest.mark.processes
def test_a_skeleton_fails_every_public_test_and_says_why(tmp_path: Path) -> None:
    outcomes = run_pytest(copy_of_template(tmp_path / "mine"))
    assert len(outcomes) > 90
    assert {name for name, failure in outcomes.items() if "Still to be written" not in failure} == set()


@pytest.mark.processes
def test_the_reference_passes_every_public_test(tmp_path: Path) -> None:
    outcomes = run_pytest(copy_of_template(tmp_path / "mine", with_answers=True))
    assert len(outcomes) > 90
    assert {name: failure for name, failure in outcomes.items() if failure} == {}


ASKS_BESIDE_NEW_CELLS = """
from lab import MOVES, Solver


class {name}(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        entry = search.{take}()
        came_by = {{entry: None}}
        waiting = [entry]
        while waiting:
            cell = waiting.pop({end})
            if cell == maze.exit:
                return self.way_to(cell, came_by)
            for move in {moves}:
                if not maze.dimension.includes(cell + move) or cell + move in came_by:
                    continue
                if move in maze.valid_moves_at(cell):
                    came_by[cell + move] = move
                    waiting.append(cell + move)
        return None

    def way_to(self, cell, came_by):
        moves = []
        while came_by[cell] is not None:
            moves.append(came_by[cell])
            cell = cell + moves[-1].opposite()
        return moves[::-1]
"""
"""Takes its entry from the search, and asks about no cell between known ones."""


@pytest.mark.parametrize(
    ("file", "name", "take", "end", "moves"),
    [("bfs", "BFS", "first_pending", "0", "MOVES"), ("dfs", "DFS", "last_pending", "", "reversed(MOVES)")],
)
def test_a_right_solver_whose_visits_are_hard_to_see_passes(
    file: str, name: str, take: str, end: str, moves: str, tmp_path: Path
) -> None:
    folder = copy_of_template(tmp_path / "mine", with_answers=True)
    code = ASKS_BESIDE_NEW_CELLS.format(name=name, take=take, end=end, moves=moves)
    (folder / "solvers" / f"{file}.py").write_text(code)
    assert ALL_PASSED in checked(folder, file)
    turned = "MOVES" if moves != "MOVES" else "reversed(MOVES)"
    (folder / "solvers" / f"{file}.py").write_text(code.replace(f"in {moves}:", f"in {turned}:"))
    assert "does not visit the cells in the expected order" in checked(folder, file)


WRITTEN_OTHERWISE = {
    "search": """
class Search(Kept):
    def moves_to(self, position):
        return tuple(super().moves_to(position))
""",
    "dfs": """
import faulthandler
import io
import sys

sys.stdout.reconfigure(encoding="utf-8", errors="replace")
sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding=sys.stdout.encoding.lower())
faulthandler.enable()


class DFS:
    def __getattr__(self, name):
        return getattr(self.kept, name)

    def __init__(self):
        print("made")
        self.kept = Kept()
""",
    "bfs": """
class BFS:
    @property
    def solve(self):
        return Kept().solve
""",
    "dijkstra": """
class Dijkstra:
    def solve(self, maze, search):
        came_by, cells = {tuple(maze.entry): None}, [list(maze.entry)]
        for cell in cells:
            if tuple(cell) == maze.exit:
                moves = []
                while came_by[tuple(cell)] is not None:
                    moves.append(came_by[tuple(cell)])
                    cell = moves[-1].opposite() + tuple(cell)
                return moves[::-1]
            for move in maze.valid_moves_at(cell):
                if move + tuple(cell) not in came_by:
                    came_by[move + tuple(cell)] = move
                    cells.append(list(move + tuple(cell)))
        return None
""",
}
"""Right work: sys.stdout set up anew, methods that only objects have, lists for positions, tuples."""


@pytest.mark.processes
def test_right_work_may_be_written_otherwise(tmp_path: Path) -> None:
    folder = copy_of_template(tmp_path / "mine", with_answers=True)
    for file, code in WRITTEN_OTHERWISE.items():
        path = folder / "solvers" / f"{file}.py"
        name = next(exercise.name for exercise in EXERCISES if exercise.stem == file)
        path.write_text(f"{path.read_text()}\n\nKept = {name}\n{code}")
    outcomes = run_pytest(folder, *(f"tests/test_{file}.py" for file in WRITTEN_OTHERWISE))
    assert len(outcomes) > 60
    assert {name: failure for name, failure in outcomes.items() if failure} == {}


READS_FIRST = """
from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        moves = {}
        cells = [maze.entry]
        for cell in cells:
            if cell not in moves:
                moves[cell] = maze.valid_moves_at(cell)
                cells += [cell + move for move in moves[cell]]
        visited = set()

        def way_from(cell):
            visited.add(cell)
            for move in () if cell == maze.exit else moves[cell]:
                if cell + move not in visited:
                    rest = way_from(cell + move)
                    if rest is not None:
                        return [move, *rest]
            return [] if cell == maze.exit else None

        return way_from(maze.entry)
"""


def test_a_right_solver_that_reads_the_maze_from_cell_to_cell_first_passes(tmp_path: Path) -> None:
    folder = copy_of_template(tmp_path / "mine", with_answers=True)
    (folder / "solvers" / "dfs.py").write_text(READS_FIRST)
    assert ALL_PASSED in checked(folder, "dfs")


TAKEN = (
    "list(cells)",
    "dict.fromkeys(cells)",
    "OrderedDict.fromkeys(cells).keys()",
    "dict(enumerate(cells)).values()",
    "MappingProxyType(dict.fromkeys(cells))",
)
"""One after another, time and again."""


@pytest.mark.parametrize(
    ("cells", "is_taken"),
    [
        (f"[{', '.join(TAKEN)}][next(turn) % {len(TAKEN)}]", True),
        ("iter(cells)", False),
        ("UserDict.fromkeys(cells).keys()", False),
    ],
)
def test_known_cells_are_of_a_kind_that_is_graded(cells: str, *, is_taken: bool, tmp_path: Path) -> None:
    folder = copy_of_template(tmp_path / "mine", with_answers=True)
    with (folder / "solvers/search.py").open("a") as file:
        file.write(
            "\n\nfrom collections import *\nfrom itertools import count\nfrom types import *\n"
            "turn = count()\n\n\nclass Search(Search):\n    @property\n"
            f"    def known_cells(self):\n        cells = super().known_cells\n        return {cells}\n"
        )
    said = checked(folder, "search")
    assert (ALL_PASSED in said) == is_taken
    assert ("expected a tuple, a list, a dict" in said) != is_taken


@pytest.mark.processes
def test_an_endless_loop_is_stopped_and_shown(tmp_path: Path) -> None:
    folder = copy_of_template(tmp_path / "mine")
    (folder / "perfection_checker.py").write_text(
        "class PerfectionChecker:\n    def is_perfect(self, maze):\n        while True:\n            pass\n"
    )
    for path in (folder / "tests").glob("test_*.py"):
        if path.name != "test_perfection_checker.py":
            path.unlink()
    told = [*run_pytest(folder).values()]
    stopped = [each for each in told if "did not come to an end within" in each]
    assert len(stopped) == 4  # one of each check, until enough is known
    assert sum("within 1 s" in each for each in stopped) == 1  # the first is asked once more, for longer
    assert all('File "perfection_checker.py", line' in each for each in stopped)
    assert {*told} - {*stopped} == {"Failed: Not run: tests before it went on for ever."}


@pytest.mark.processes
@pytest.mark.parametrize(
    "slow",
    [
        {"SURE_SECONDS, SMALL = 0.25, 1.0,": "SURE_SECONDS, SMALL = 1e-9, 60.0,"},
        {"MOST_SECONDS = 5.0": "MOST_SECONDS = 1e-9\nworker.slowness = lambda: 1e12"},
    ],
    ids=["for small calls", "for all"],
)
def test_right_work_passes_where_the_machine_is_too_slow(slow: dict[str, str], tmp_path: Path) -> None:
    folder = copy_of_template(tmp_path / "mine", with_answers=True)
    conftest = folder / "tests" / "conftest.py"
    code = conftest.read_text(encoding="utf-8")
    for usual, instead in slow.items():
        assert usual in code
        code = code.replace(usual, instead)
    conftest.write_text(code, encoding="utf-8")
    told = run_pytest(folder, "tests/test_perfection_checker.py", "tests/test_bfs.py")
    assert {*told.values()} == {""}


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
def test_skeletons_and_reference_differ_in_what_is_to_be_written_only(exercise: object) -> None:
    def signatures(root: Path) -> list[str]:
        tree = ast.parse((root / exercise.file).read_text(encoding="utf-8"))  # type: ignore[attr-defined]
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        (found,) = [node for node in classes if node.name == exercise.name]  # type: ignore[attr-defined]
        functions = [node for node in found.body if isinstance(node, ast.FunctionDef)]
        return [f"{f.name}({ast.unparse(f.args)})" for f in functions]

    template, reference = signatures(TEMPLATE), signatures(ROOT / "reference")
    assert [signature for signature in template if signature not in reference] == []


@pytest.mark.parametrize("name", sorted(path.name for path in TEMPLATE.glob("README*.md")))
def test_the_handout_draws_the_mazes_that_the_tests_use(name: str) -> None:
    handout = (TEMPLATE / name).read_text(encoding="utf-8")
    drawn = [line for line in handout.split("\n") if line.startswith(("    +-", "    | ", "    + +"))]
    for maze, column in (("a_empty_room", 4), ("b_long_corridor", 26), ("c_regular_maze", 50)):
        text = (TEMPLATE / "mazes" / f"{maze}.txt").read_text(encoding="utf-8").strip("\n").split("\n")
        in_handout = [line[column : column + 7] for line in drawn]
        assert in_handout == text


def test_public_tests_allow_a_call_what_the_grader_does() -> None:
    source = ast.parse((TEMPLATE / "tests" / "conftest.py").read_text(encoding="utf-8"))
    said = {
        ast.unparse(target): eval(ast.unparse(node.value))  # noqa: S307 - numbers of our own
        for node in source.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if ast.unparse(target).startswith("MOST_")
    }
    limits = Limits()
    assert (said["MOST_SECONDS"], said["MOST_PRINTED"]) == (limits.call_cpu_seconds, limits.output_bytes)
