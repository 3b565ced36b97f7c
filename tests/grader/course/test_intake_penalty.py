"""What it costs that something had to be put right."""

from __future__ import annotations

import pytest

from grader.course import intake_penalty
from grader.languages import said
from grader.model import (
    CheckResult,
    ExerciseResult,
    Remark,
    RemarkKind,
    Report,
    Verdict,
)
from grader.results import as_data


def report(points: float, *kinds: RemarkKind) -> Report:
    check = CheckResult("dfs.valid-path", "Ways", points, "public", Verdict("passed"))
    remarks = tuple(Remark(kind, "dfs.py", "", said("sentence", finding="moved")) for kind in kinds)
    return Report("ada", "fake", "Lab", "", (ExerciseResult("dfs", "DFS", (check,)),), remarks=remarks)


@pytest.mark.parametrize("kinds", [(), ("unsure",), ("refused",)])
def test_what_was_not_put_right_costs_nothing(kinds: tuple[RemarkKind, ...]) -> None:
    made = report(100, *kinds)
    assert intake_penalty.apply(as_data(made), made, 5.0) == as_data(made)


def test_without_a_word_in_the_rubric_it_costs_nothing() -> None:
    made = report(100, "moved")
    assert intake_penalty.apply(as_data(made), made, 0.0) == as_data(made)


@pytest.mark.parametrize(("points", "cost", "left"), [(100, 5, 95), (3, 5, 0), (50, 2.5, 47.5)])
def test_it_costs_once_and_never_more_than_there_is(points: float, cost: float, left: float) -> None:
    made = report(points, "moved", "moved", "encoding")
    results = intake_penalty.apply(as_data(made), made, cost)
    assert results["score"] == left
    assert results["repair_cost"] == {"points": points - left, "score_before": points}
    assert results["intake"][-1]["message"] == (
        f"What was handed in had to be put right: {points:g} points became {left:g}."
    )
