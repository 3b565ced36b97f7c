"""Verdicts in words."""

from __future__ import annotations

from typing import Literal

import pytest

from grader.exercises.kit.check import Case, PlannedExercise, Wrong
from grader.exercises.kit.findings import ending
from grader.grading.verdicts import verdict_on
from grader.languages import said
from grader.model import Call, Claim, Fault, Outcome, RunScript, Target
from tests.grader.words import english


@pytest.mark.parametrize(
    ("kind", "found", "message"),
    [
        ("no file", "", "The file solvers/search.py was not handed in."),
        ("no name", "", "solvers/search.py has no Search."),
        ("no class", "3", "solvers/search.py: expected Search to be a class, got 3."),
        ("what a child made up", "3", "solvers/search.py has no Search."),
    ],
)
@pytest.mark.parametrize("exercise", ["search", "dfs", "perfection", "generator"])
def test_what_is_missing_is_said_without_a_case(exercise: str, kind: str, found: str, message: str) -> None:
    case = Case(Call("c", RunScript(())), said("a_script"), None)
    finding = ending(Claim("c", "missing", None, Fault(kind, found, (), "import")), expected={"text": "True"})
    assert finding is not None
    target = Target("solvers/search.py", "Search")
    verdict = verdict_on(PlannedExercise(exercise, "The search", target, ()), "a.b", Wrong(case, finding))
    assert (verdict.status, english(verdict.message), verdict.counterexample) == ("missing", message, None)


@pytest.mark.parametrize(
    ("outcome", "kind", "stage", "is_told"),
    [
        ("endless", "endless", "import", True),
        ("timeout", "timeout", "import", True),
        ("died", "exit status 0", "import", True),
        ("raised", "EOFError", "import", True),
        ("raised", "SystemExit", "import", True),
        ("raised", "NameError", "import", False),
        ("died", "exit status 0", "construct", False),
    ],
)
def test_who_tries_code_out_while_it_is_loaded_learns_where_to_put_that(
    outcome: Outcome, kind: str, stage: Literal["import", "construct"], *, is_told: bool
) -> None:
    case = Case(Call("c", RunScript(())), said("a_script"), None)
    finding = ending(Claim("c", outcome, None, Fault(kind, "", (), stage)), expected={})
    assert finding is not None
    target = Target("solvers/search.py", "Search")
    verdict = verdict_on(PlannedExercise("search", "The search", target, ()), "a.b", Wrong(case, finding))
    assert ("__main__" in english(verdict.hint)) == is_told
