"""Verdicts in words."""

from __future__ import annotations

import pytest

from grader.checks.base import Case, Exercise, Wrong
from grader.grading.verdicts import verdict_on
from grader.languages import said
from grader.model import Call, Claim, Fault, RunScript, Target
from grader.oracle.findings import ending
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
    verdict = verdict_on(Exercise(exercise, "The search", target, ()), Wrong(case, finding))
    assert (verdict.status, english(verdict.message), verdict.counterexample) == ("missing", message, None)
