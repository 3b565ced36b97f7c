"""Slips of the pen are told by what was meant, before any maze."""

from __future__ import annotations

import pytest

from grader.course.statements import target_of
from grader.grading.story import with_slips
from grader.languages import said
from grader.model import CheckResult, ExerciseResult, Telling, Verdict
from tests.grader.words import english

ABSTRACT = "Can't instantiate abstract class {} with abstract method {}"
LACKS = "'{}' object has no attribute '{}'"
NO_SOLVE, NO_RECORD = LACKS.format("DFS", "solve"), LACKS.format("Search", "record")


def told(exercise: str, code: str | bytes, verdict: Verdict) -> Verdict:
    content = code.encode() if isinstance(code, str) else code
    check = CheckResult(f"{exercise}.check", "", 1.0, "public", verdict)
    result = with_slips(ExerciseResult(exercise, "", (check,)), target_of(exercise), content)
    return result.checks[0].verdict


def crashed(kind: str, message: str) -> Verdict:
    fault: dict[str, Telling] = {"kind": kind, "message": message, "stage": "call", "trace": []}
    shown: dict[str, Telling] = {"maze": "+-+", "actual": {"fault": fault}, "expected": {}}
    return Verdict("crashed", said("sentence", finding="It went wrong"), counterexample=shown)


MISSING = Verdict("missing", said("missing_name", file="", name=""))


@pytest.mark.parametrize(
    "code",
    [
        *("class Some: ...\nclass Thing: ...", "def solve_it(): ...", "def (", "class DFS: ...", "\0"),
        *("class Some: ...\nif 0:\n class DFS: ...", "print('not yet')"),
    ],
)
def test_what_is_not_close_is_not_guessed(code: str) -> None:
    assert told("dfs", code, MISSING) == MISSING


@pytest.mark.parametrize(
    ("exercise", "code", "kind", "fault", "message"),
    [
        ("dfs", "class DFS:\n def slove(): ...", "TypeError", ABSTRACT.format("DFS", "solve"), "but slove"),
        ("dfs", "class DFS:\n def walk(): ...", "AttributeError", NO_SOLVE, "DFS has no method solve."),
        (
            *("perfection", "class PerfectionChecker:\n def is_perfect(self, maze, entry): ...", "TypeError"),
            "PerfectionChecker.is_perfect() missing 1 required positional argument: 'entry'",
            "takes self, maze, entry: it is called with self, maze.",
        ),
        (
            *("dfs", "class DFS:\n  def s\u043elve(self, maze, search): ...", "AttributeError", NO_SOLVE),
            "Letter 2 of s\u043elve in line 2 is \u043e (U+043E CYRILLIC SMALL LETTER O)",
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


def test_a_name_is_asked_about_beside_the_maze() -> None:
    verdict = told("dfs", "def solve(search): ...", crashed("NameError", "name 'serach' is not defined"))
    assert english(verdict.message).startswith("It went wrong. There is no ")
    assert english(verdict.message).endswith("is search meant?")
    assert verdict.counterexample is not None
    assert "maze" in verdict.counterexample


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("KeyError", "'key'"),
        ("AttributeError", LACKS.format("Search", "xyzzy")),
        ("NameError", f"name '{'x' * 200}' is not defined"),
        ("TypeError", "DFS.visit() takes 1 positional argument but 2 were given"),
    ],
)
def test_other_faults_stay_as_they_are(kind: str, fault: str) -> None:
    verdict = crashed(kind, fault)
    code = f"class DFS:\n def solve(self, maze, search): ...\n def visit(self): ...\n{'x' * 201} = 1"
    assert told("dfs", code, verdict) == verdict


def test_what_passed_what_is_hidden_and_what_is_not_there_stays_as_it_is() -> None:
    for verdict in (Verdict("passed"), Verdict("failed", said("hidden"))):
        assert told("dfs", "class Dfs: ...", verdict) == verdict
    result = ExerciseResult("dfs", "", (CheckResult("dfs.check", "", 1.0, "public", MISSING),))
    assert with_slips(result, target_of("dfs"), None) is result


def loaded(kind: str, message: str, *, line: int = 1, code: str = "") -> Verdict:
    """Return the verdict of a file that could not be loaded."""
    frame: dict[str, Telling] = {"file": "solvers/bfs.py", "line": line, "function": "<module>", "code": code}
    fault: dict[str, Telling] = {"kind": kind, "message": message, "stage": "import", "trace": [frame]}
    return Verdict("crashed", "S.", counterexample={"actual": {"fault": fault}, "expected": {}})


def test_what_the_grading_python_reads_is_no_newer_syntax() -> None:
    verdict = loaded("SyntaxError", "invalid syntax (Python 3.14)", code="except A, B: ...")
    assert told("bfs", "x = = 1", verdict) == verdict
