"""Exercises that are functions, or methods of a class: drawn, judged, shown, refused where they are wrong."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.course.plan import Plan, load_plan
from grader.exercises.kit.folders.code import KNOWN
from grader.grading.engine import grade
from grader.model import Submission
from grader.release.public_tests import make_public_tests
from grader.results import as_data
from grader.sandbox.bubblewrap import BubblewrapBackend
from grader.shipped import folder
from grader.verification.bank import SHIPPED as BANK
from grader.verification.bank import load_bank
from tests.grader.exercises.folders.made_folders import COUNT, JUDGE, TEXTS, YAML, course, dead_ends
from tests.grader.release.unproven import unproven as unproven


def graded(plan: Plan, files: Mapping[str, str]) -> Any:
    submission = Submission("ada", {name: textwrap.dedent(text).encode() for name, text in files.items()})
    return as_data(grade(submission, plan, BubblewrapBackend()))


def statuses(results: Any) -> dict[str, str]:
    return {
        check["id"].partition(".")[2]: check["status"]
        for exercise in results["exercises"]
        for check in exercise["checks"]
    }


# --- two files are enough ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return load_plan(dead_ends(tmp_path_factory.mktemp("course")), explain=False)


EACH = {"rooms", "corridors", "unchanged", "repeat"}


@pytest.mark.processes
@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize(
    ("code", "lost"),
    [
        (COUNT, set()),
        (COUNT.replace("return sum", "return float(sum").replace("positions())", "positions()))"), set()),
        (COUNT.replace("== 1", "<= 1 and cell != maze.entry"), {"rooms", "corridors"}),
        ("def count_dead_ends(maze): return 0", EACH),
        ("def count_dead_ends(maze): return str(len(maze.valid_moves_at(maze.entry)))", EACH),
        ("def count_dead_ends(maze): return True", EACH),
        ("def count_dead_ends(): return 3", EACH),
        ("class count_dead_ends:\n    pass", EACH),
        ("def count_dead_ends(maze):\n    while True: pass", EACH),
    ],
)
def test_a_function_is_graded(plan: Plan, code: str, lost: set[str]) -> None:
    found = statuses(graded(plan, {"dead_ends.py": code}))
    assert {name for name, status in found.items() if status != "passed"} == lost


# --- arguments and answers of every kind -----------------------------------------------------------

CELLS = "[c for c in maze.dimension.all_positions() if len(maze.valid_moves_at(c)) == 1]"
ROWS = "range(1, maze.dimension.row_count + 1)"
COLUMNS = "range(1, maze.dimension.column_count + 1)"
MATRIX = f"[[len(maze.valid_moves_at((r, c))) for c in {COLUMNS}] for r in {ROWS}]"
MAPPING = "{c: len(maze.valid_moves_at(c)) for c in maze.dimension.all_positions()}"
SIZE = "f'{dimension.row_count} x {dimension.column_count}'"
LUCK = "(rng.random(), factory.fully_connected(dimension).entry)"
KINDS = [
    ("cells", "maze", CELLS, f"{CELLS}[1:]", "visits"),
    ("cells", "maze", f"{{*{CELLS}}}", "[(1, 1)]", "visits"),
    ("list", "maze", MATRIX, MATRIX.replace("valid_moves_at", "moves_at"), "table"),
    ("mapping", "maze", MAPPING, MAPPING.replace("valid_moves_at", "moves_at"), "marked"),
    ("maze", "maze", "__import__('lab').Factory().fully_connected(maze.dimension)", "maze", "mazes"),
    ("text", "dimension", SIZE, SIZE.replace("row", "column"), "text"),
    (
        "true-or-false",
        "maze, search",
        "search.mark_as_pending(maze.entry) is None and maze.dimension.row_count > 2",
        "False",
        "text",
    ),
    ("anything", "factory, dimension, rng", LUCK, LUCK.replace("random()", "random() + 1"), "text"),
]


@pytest.mark.processes
@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize(("form", "arguments", "right", "wrong", "shown"), KINDS)
def test_every_kind_of_answer(
    tmp_path: Path, form: str, arguments: str, right: str, wrong: str, shown: str
) -> None:
    settings = "id: asked\nfile: asked.py\nfunction: ask\nchecks:\n  all: [way, cycles, shapes]\n"
    settings += f"arguments: [{arguments}]\n" + (f"returns: {form}\n" if form != "anything" else "")
    code = f"def ask({arguments}): return "
    path = course(
        tmp_path, {"exercise.yaml": settings, "reference.py": code + right}, {"all": 100}, id_="asked"
    )
    plan = load_plan(path, explain=False)
    search = {"solvers/search.py": (folder("reference") / "solvers" / "search.py").read_text()}
    assert graded(plan, {"asked.py": code + right, **search})["score"] == 100
    found = graded(plan, {"asked.py": code + wrong, **search})
    assert found["score"] == 0
    example = found["exercises"][0]["checks"][0]["counterexample"]
    assert example["actual"].get(shown)


@pytest.mark.processes
@pytest.mark.usefixtures("_untraced")
def test_arguments_that_cases_draw_and_methods_of_a_class(tmp_path: Path) -> None:
    files = {
        "exercise.yaml": """
            id: sums
            file: sums.py
            class: Sums
            methods:
              total: {arguments: [numbers], returns: number}
              longest: {arguments: [maze, least], returns: number}
            checks:
              totals: {method: total, cases: [short_lists, mixed]}
              mazes: {method: longest, cases: [mazes]}
        """,
        "cases.py": """
            from lab import Dimension, Factory

            def short_lists(rng):
                return [{"numbers": [rng.randrange(9) for _ in range(rng.randrange(4))]} for _ in range(10)]

            def mixed(rng):
                return [{"numbers": (1, 2.5, -3)}, {"numbers": [0.1, 0.2]}]

            def mazes(rng):
                return [{"maze": Factory().fully_connected(Dimension(2, n)), "least": n} for n in range(1, 5)]
        """,
        "reference.py": """
            class Sums:
                def total(self, numbers):
                    return sum(numbers)

                def longest(self, maze, least):
                    return max(least, maze.dimension.column_count)
        """,
    }
    plan = load_plan(course(tmp_path, files, {"totals": 60, "mazes": 40}, id_="sums"), explain=False)
    right = files["reference.py"]
    assert graded(plan, {"sums.py": right})["score"] == 100
    other_rounding = right.replace("sum(numbers)", "sum(sorted(numbers, reverse=True))")
    assert graded(plan, {"sums.py": other_rounding})["score"] == 100
    found = graded(plan, {"sums.py": right.replace("sum(numbers)", "max([0, *numbers])")})
    assert found["score"] == 40
    assert graded(plan, {"sums.py": right.replace("max(least,", "max(0,")})["score"] == 100
    assert graded(plan, {"sums.py": right.replace("def longest", "def shortest")})["score"] == 60


@pytest.mark.processes
@pytest.mark.usefixtures("_untraced")
def test_a_long_text_is_cut_in_a_sentence_of_the_judge(tmp_path: Path) -> None:
    changed = {
        "exercise.yaml": YAML.replace("returns: number", "returns: anything"),
        "judge.py": JUDGE,
        "texts/en.toml": TEXTS,
    }
    plan = load_plan(dead_ends(tmp_path, changed))
    results = graded(plan, {"dead_ends.py": "def count_dead_ends(maze): return '<b>' * 30_000"})
    assert "rooms" in statuses(results)
    assert "<b><b>" in json.dumps(results)
    assert "<b>" * 100 not in json.dumps(results)


def test_the_reference_is_given_a_set_as_submissions_are(tmp_path: Path) -> None:
    changed = {
        "exercise.yaml": YAML.replace("[maze]", "[cells]")
        .replace("[shapes]", "[few]")
        .replace("rooms: [way, cycles]", "rooms: [few]"),
        "cases.py": "def few(rng): return [{'cells': {(1, 1), (1, number)}} for number in range(5)]",
        "reference.py": "def count_dead_ends(cells):\n    cells.add((9, 9))\n    return len(cells)\n",
    }
    load_plan(course(tmp_path, {"exercise.yaml": "", **changed}, {"rooms": 60, "corridors": 40}))
    assert KNOWN["dead_ends"].right("", (("data", '{"s": [{"v": [1, 2]}]}'),)) == 2


# --- what students and verify get ------------------------------------------------------------------


def test_public_tests_hand_out_the_search_of_the_student(tmp_path: Path) -> None:
    changed = {
        "exercise.yaml": YAML.replace("[maze]", "[maze, search]"),
        "reference.py": COUNT.replace("(maze):", "(maze, search):"),
    }
    plan = load_plan(dead_ends(tmp_path, changed))
    made = make_public_tests(KNOWN[plan.exercises[0].id])
    assert 'imported("Search")()' in made
    names = {node.id for node in ast.walk(ast.parse(made)) if isinstance(node, ast.Name)}
    assert "Search" not in names


@pytest.mark.processes
@pytest.mark.parametrize(
    ("returned", "right", "is_right"),
    [
        ("[(1, 2)]", "{(1, 2)}", True),
        ("[(1, 2), (1, 2)]", "{(1, 2), (3, 4)}", False),
        ("{(1, 2)}", "[(1, 2)]", False),
        ("{(1, 2): 1}.keys()", "[(1, 2)]", True),
        ("collections.deque([1])", "[1]", True),
        ("float('nan')", "float('nan')", True),
        ("float('nan')", "1.0", False),
    ],
)
def test_public_tests_count_as_right_what_the_grader_does(returned: str, right: str, is_right: bool) -> None:
    code = f"import collections, public_checks\nprint(public_checks.same({returned}, {right}))"
    place = Path(__file__).parents[4] / "student_template" / "tests"
    ran = subprocess.run([sys.executable, "-c", code], cwd=place, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == str(is_right)


def test_a_title_with_quotation_marks_makes_a_skeleton(tmp_path: Path) -> None:
    title = """title = 'Of "walls" and \\ ends: \"\"\"'"""
    plan = load_plan(dead_ends(tmp_path, {"texts/en.toml": title}))
    (exercise,) = plan.exercises
    compile(KNOWN[exercise.id].exercise.skeleton, "skeleton.py", "exec")


def test_verify_takes_the_submissions_of_the_folder(tmp_path: Path) -> None:
    path = dead_ends(
        tmp_path, {"right/other.py": COUNT, "wrong/none.py": "def count_dead_ends(maze): return 0"}
    )
    load_plan(path)
    known = {each.name: each for each in load_bank(BANK) if "dead_ends" in each.exercises}
    assert known["right--dead_ends-other"].loses == frozenset()
    assert known["wrong--dead_ends-none"].loses == {"dead_ends"}
    assert known["wrong--dead_ends-none"].files["dead_ends.py"] == b"def count_dead_ends(maze): return 0\n"
