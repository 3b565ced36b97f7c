"""Slips of the pen are told by what was meant, before any maze."""

from __future__ import annotations

import pytest

from grader.course.exercises import target_of
from grader.grading.explain.slips import with_slips
from grader.languages import said
from grader.model import CheckResult, ExerciseResult, Telling, Verdict
from tests.grader.words import english

ABSTRACT = "Can't instantiate abstract class {} with abstract method {}"
LACKS = "'{}' object has no attribute '{}'"
NO_SOLVE, NO_RECORD = LACKS.format("DFS", "solve"), LACKS.format("Search", "record")


def told(exercise: str, code: str, verdict: Verdict) -> Verdict:
    check = CheckResult(f"{exercise}.check", "", 1.0, "public", verdict)
    result = with_slips(ExerciseResult(exercise, "", (check,)), target_of(exercise), code.encode())
    return result.checks[0].verdict


def crashed(kind: str, message: str) -> Verdict:
    fault: dict[str, Telling] = {"kind": kind, "message": message, "stage": "call", "trace": []}
    shown: dict[str, Telling] = {"maze": "+-+", "actual": {"fault": fault}, "expected": {}}
    return Verdict("crashed", said("sentence", finding="It went wrong"), counterexample=shown)


MISSING = Verdict("missing", said("missing_name", file="", name=""))


@pytest.mark.parametrize(
    ("exercise", "code", "message"),
    [
        ("dfs", "class Dfs: ...", "has no class DFS, but a class Dfs: is that the one?"),
        ("dijkstra", "class Djikstra: ...", "but a class Djikstra"),
        ("perfection", "if True:\n  class PerfectnessChecker: ...", "but a class PerfectnessChecker"),
        ("bfs", "def solve(maze, search): ...", "solve stands there outside of any class"),
        ("dijkstra", "class BFS: ...", "solvers/dijkstra.py has no Dijkstra, but a class BFS."),
        (
            "dijkstra",
            "class Node: ...\nclass BFS:\n def solve(self, maze, search): ...",
            "has no Dijkstra, but a class BFS.",
        ),
        ("bfs", " \n\n", "solvers/bfs.py is empty: it has no BFS."),
        ("bfs", "# class BFS:\n", "solvers/bfs.py has nothing but comments: it has no BFS."),
        ("bfs", '"""A search."""\n', "has nothing but comments"),
    ],
)
def test_a_class_is_named_with_the_one_that_was_meant(exercise: str, code: str, message: str) -> None:
    assert message in english(told(exercise, code, MISSING).message)


@pytest.mark.parametrize(
    "code",
    [
        *(
            "class Some: ...\nclass Thing: ...",
            "def solve_it(): ...",
            "def (",
            "class DFS: ...",
            "\0",
            "pass",
        ),
        *("class Some: ...\nif 0:\n class DFS: ...", "print('not yet')"),
    ],
)
def test_what_is_not_close_is_not_guessed(code: str) -> None:
    assert told("dfs", code, MISSING) == MISSING


@pytest.mark.parametrize(
    ("exercise", "code", "kind", "fault", "message"),
    [
        ("dfs", "class DFS:\n def slove(): ...", "TypeError", ABSTRACT.format("DFS", "solve"), "but slove"),
        ("dfs", "class DFS:\n def Solve(): ...", "AttributeError", NO_SOLVE, "but Solve (line 2)"),
        ("search", "class Search:\n def recrd(): ...", "AttributeError", NO_RECORD, "but recrd"),
        ("dfs", "class DFS:\n def walk(): ...", "AttributeError", NO_SOLVE, "DFS has no method solve."),
        (
            "generator",
            "class MyGenerator:\n x = 1\ndef generate(self): ...",
            "AttributeError",
            LACKS.format("MyGenerator", "generate"),
            "the one in line 3 does not belong to the class",
        ),
        (
            "bfs",
            "class BFS:\n def __init__(self):\n  def solve(self): ...",
            "TypeError",
            "Can't instantiate abstract class BFS without an implementation for abstract method 'solve'",
            "the one in line 3 does not belong",
        ),
        (
            "dfs",
            "class DFS:\n def solve(maze, search): ...",
            "TypeError",
            "DFS.solve() takes 2 positional arguments but 3 were given",
            "solve of DFS (line 2) lacks its first parameter: it is called with self, maze, search.",
        ),
        (
            "dfs",
            "class DFS:\n def solve(self, maze): ...",
            "TypeError",
            "DFS.solve() takes 2 positional arguments but 3 were given",
            "takes self, maze: it is called with self, maze, search.",
        ),
        (
            "perfection",
            "class PerfectionChecker:\n def is_perfect(self, maze, entry): ...",
            "TypeError",
            "PerfectionChecker.is_perfect() missing 1 required positional argument: 'entry'",
            "takes self, maze, entry: it is called with self, maze.",
        ),
        (
            "bfs",
            "class BFS:\n def solve(self, *, maze, search): ...",
            "TypeError",
            "BFS.solve() takes 1 positional argument but 3 were given",
            "solve of BFS (line 2) takes self, *, maze, search: it is called with self, maze, search, "
            "each by its position, none by its name.",
        ),
        (
            "bfs",
            "class BFS:\n def solve(self, *rest, wide): ...",
            "TypeError",
            "BFS.solve() missing 1 required keyword-only argument: 'wide'",
            "takes self, *rest, wide: it is called with",
        ),
    ],
)
def test_a_method_is_named_with_what_was_meant_and_no_maze(
    exercise: str, code: str, kind: str, fault: str, message: str
) -> None:
    verdict = told(exercise, code, crashed(kind, fault))
    assert message in english(verdict.message)
    assert verdict.counterexample is not None
    assert "maze" not in verdict.counterexample


@pytest.mark.parametrize(
    ("code", "kind", "fault", "meant"),
    [
        ("", "AttributeError", LACKS.format("Search", "last_pendng"), "last_pending"),
        ("", "AttributeError", LACKS.format("Maze", "valid_move_at"), "valid_moves_at"),
        ("", "AttributeError", LACKS.format("Vector", "oposite"), "opposite"),
        ("class DFS:\n def visit(self): ...", "AttributeError", LACKS.format("DFS", "vist"), "visit"),
        ("def solve(maze, search): serach", "NameError", "name 'serach' is not defined", "search"),
        ("from collections import deque", "NameError", "name 'dequeue' is not defined", "deque"),
    ],
)
def test_a_name_is_asked_about_beside_the_maze(code: str, kind: str, fault: str, meant: str) -> None:
    verdict = told("dfs", code, crashed(kind, fault))
    assert english(verdict.message).startswith("It went wrong. There is no ")
    assert english(verdict.message).endswith(f"is {meant} meant?")
    assert verdict.counterexample is not None
    assert "maze" in verdict.counterexample


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("KeyError", "'key'"),
        ("AttributeError", LACKS.format("Search", "xyzzy")),
        ("NameError", "name 'xyzzy' is not defined"),
        ("TypeError", "DFS.visit() takes 1 positional argument but 2 were given"),
        ("TypeError", "unsupported operand"),
    ],
)
def test_other_faults_stay_as_they_are(kind: str, fault: str) -> None:
    verdict = crashed(kind, fault)
    assert (
        told("dfs", "class DFS:\n def solve(self, maze, search): ...\n def visit(self): ...", verdict)
        == verdict
    )


def test_what_passed_and_what_is_hidden_stays_as_it_is() -> None:
    for verdict in (Verdict("passed"), Verdict("failed", said("hidden"))):
        assert told("dfs", "class Dfs: ...", verdict) == verdict


def test_a_file_that_is_not_there_has_no_slips() -> None:
    result = ExerciseResult("dfs", "", (CheckResult("dfs.check", "", 1.0, "public", MISSING),))
    assert with_slips(result, target_of("dfs"), None) is result


def test_names_longer_than_anybody_writes_are_held_against_none() -> None:
    name = "x" * 200
    fault = crashed("NameError", f"name '{name}' is not defined")
    assert told("dfs", f"class DFS: ...\n{name}x = 1\n", fault) == fault


def loaded(kind: str, message: str, *, line: int = 1, code: str = "") -> Verdict:
    """Return the verdict of a file that could not be loaded."""
    frame: dict[str, Telling] = {"file": "solvers/bfs.py", "line": line, "function": "<module>", "code": code}
    fault: dict[str, Telling] = {"kind": kind, "message": message, "stage": "import", "trace": [frame]}
    return Verdict("crashed", "S.", counterexample={"actual": {"fault": fault}, "expected": {}})


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("<<<<<<< HEAD\nclass BFS: ...\n", "solvers/bfs.py: line 1 is a conflict marker"),
        ("x = \u201ca\u201d\n", "line 1 has the letter \u201c (U+201C LEFT DOUBLE QUOTATION MARK)"),
        ("\u0441lass BFS: ...\n", "line 1 has the letter \u0441 (U+0441 CYRILLIC SMALL LETTER ES)"),
        ("<!DOCTYPE html>\n", "what is in it is a web page"),
    ],
)
def test_what_came_in_place_of_python_is_the_hint(code: str, hint: str) -> None:
    assert hint in english(told("bfs", code, loaded("SyntaxError", "invalid syntax")).hint)


@pytest.mark.parametrize(
    ("exercise", "code", "verdict", "message"),
    [
        ("bfs", "class \u0412FS: ...", MISSING, "Letter 1 of \u0412FS in line 1 is \u0412 (U+0412 CYRILLIC"),
        (
            "bfs",
            "x = 1\nclass B\u03a6S: ...",
            MISSING,
            "Letter 2 of B\u03a6S in line 2 is \u03a6 (U+03A6 GREEK",
        ),
        (
            "dfs",
            "class DFS:\n  def s\u043elve(self, maze, search): ...",
            crashed("AttributeError", NO_SOLVE),
            "Letter 2 of s\u043elve in line 2 is \u043e (U+043E CYRILLIC SMALL LETTER O)",
        ),
        (
            "bfs",
            "queue = []\nqu\u0435ue.append(1)",
            loaded("NameError", "name 'qu\u0435ue' is not defined", line=2),
            "Letter 3 of qu\u0435ue in line 2 is \u0435 (U+0435 CYRILLIC SMALL LETTER IE)",
        ),
        (
            "bfs",
            "def f() -> Way: ...\nWay = list",
            loaded("NameError", "name 'Way' is not defined"),
            "S. Way is defined further down, in line 2",
        ),
        (
            "bfs",
            "import typing\nif typing.TYPE_CHECKING:\n  from lab import Maze\ndef f(m: Maze): 1",
            loaded("NameError", "name 'Maze' is not defined", line=4),
            "S. Maze is imported for type checkers only",
        ),
        (
            "bfs",
            "from itertools import batched",
            loaded("ImportError", "cannot import name 'batched' from 'itertools' (unknown location)"),
            "S. itertools.batched came with Python 3.12",
        ),
        (
            "bfs",
            "import typing\n@typing.override\ndef f(): ...",
            loaded("AttributeError", "module 'typing' has no attribute 'override'", line=2),
            "S. typing.override came with Python 3.12",
        ),
        (
            "bfs",
            "import annotationlib",
            loaded("ModuleNotFoundError", "No module named 'annotationlib'"),
            "S. annotationlib came with Python 3.14",
        ),
        (
            "bfs",
            "try: ...\nexcept A, B: ...",
            loaded(
                "SyntaxError",
                "multiple exception types must be parenthesized (Python 3.13)",
                line=2,
                code="except A, B: ...",
            ),
            "S. except A, B: ... came with Python 3.14",
        ),
    ],
)
def test_letters_versions_and_names_too_early_are_told(
    exercise: str, code: str, verdict: Verdict, message: str
) -> None:
    assert message in english(told(exercise, code, verdict).message)


def test_bytes_that_are_no_text_are_told_by_what_they_are() -> None:
    check = CheckResult("bfs.check", "", 1.0, "public", loaded("SyntaxError", "the file is no text"))
    result = with_slips(ExerciseResult("bfs", "", (check,)), target_of("bfs"), b"PK\3\4\xff\x92")
    assert "what is in it is an archive" in english(result.checks[0].verdict.hint)


def test_what_the_grading_python_reads_is_no_newer_syntax() -> None:
    verdict = loaded("SyntaxError", "invalid syntax (Python 3.14)", code="except A, B: ...")
    assert told("bfs", "x = = 1", verdict) == verdict
