"""Verdicts in words."""

from __future__ import annotations

import pytest

from grader.checks.base import Case, Exercise, Wrong
from grader.grading.verdicts import verdict_on
from grader.model import Call, Fault, RunScript, Target
from grader.oracle.findings import Finding, fault_data


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ("the file solvers/search.py was not handed in", "The file solvers/search.py was not handed in."),
        ("solvers/search.py has no Search", "solvers/search.py has no Search."),
    ],
)
@pytest.mark.parametrize("exercise", ["search", "dfs", "perfection", "generator"])
def test_what_is_missing_is_said_without_a_case(exercise: str, found: str, message: str) -> None:
    case = Case(Call("c", RunScript(())), "a script", None)
    actual = {"text": "", "fault": fault_data(Fault("missing", found, (), "import"))}
    finding = Finding("missing", found, {"text": "True"}, actual)
    target = Target("solvers/search.py", "Search")
    verdict = verdict_on(Exercise(exercise, "The search", target, ()), Wrong(case, finding))
    assert (verdict.status, verdict.message, verdict.counterexample) == ("missing", message, None)
