"""What the rubric takes where work was put right, and gives for test mazes of one's own."""

from __future__ import annotations

import pytest

from grader.batch.ledger import Decision
from grader.batch.marks import with_layers, without_layers
from grader.batch.submission_report import Report
from grader.course import late_work, rubric
from grader.course.rubric import MazeBonus
from grader.languages import said
from grader.model import (
    CheckResult,
    ExerciseResult,
    GradedSubmission,
    OwnMaze,
    OwnMazes,
    Remark,
    RemarkKind,
    Verdict,
)
from grader.results import as_data, as_json, parse


def report(points: float, *kinds: RemarkKind, caught: int = 0) -> GradedSubmission:
    """Return a report with these points of 100, and with test mazes that catch so many mistakes."""
    checks = (
        CheckResult("perfection.perfect", "Perfect", points, "public", Verdict("passed")),
        CheckResult("perfection.deep", "Deep", 100 - points, "hidden", Verdict("failed", said("as_before"))),
    )
    mazes = OwnMazes((OwnMaze("my_mazes/a.txt", "", tuple(map(str, range(caught)))),), 54)
    exercise = ExerciseResult("perfection", "Perfect mazes", checks, own_mazes=mazes)
    remarks = tuple(Remark(kind, "dfs.py", "", said("sentence", finding="moved")) for kind in kinds)
    return GradedSubmission("ada", "fake", "Lab", "", (exercise,), remarks=remarks)


@pytest.mark.parametrize(("kinds", "cost"), [((), 5), (("unsure",), 5), (("refused",), 5), (("moved",), 0)])
def test_what_was_not_put_right_or_costs_nothing_takes_nothing(
    kinds: tuple[RemarkKind, ...], cost: float
) -> None:
    made = report(100, *kinds)
    assert late_work.apply_repairs(as_data(made), made, cost) == as_data(made)


@pytest.mark.parametrize(("points", "cost", "left"), [(100, 5, 95), (3, 5, 0), (50, 2.5, 47.5)])
def test_it_costs_once_and_never_more_than_there_is(points: float, cost: float, left: float) -> None:
    made = report(points, "moved", "moved", "encoding")
    results = late_work.apply_repairs(as_data(made), made, cost)
    assert results["score"] == left
    assert results["repair_cost"] == {"points": points - left, "score_before": points}


@pytest.mark.parametrize(
    ("points", "caught", "score"),
    [(50, 20, 55), (50, 54, 55), (50, 10, 52.5), (50, 3, 50.75), (98, 20, 100), (99.999, 20, 100)],
)
def test_mazes_give_points_in_proportion_up_to_full_marks(points: float, caught: int, score: float) -> None:
    made = report(points, caught=caught)
    before = as_data(made)["score"]
    results = rubric.apply_bonus(as_data(made), MazeBonus(5, 20))
    assert results["score"] == score
    if score > before:
        assert results["bonus"] == {"points": round(score - before, 2), "score_before": before}
    assert parse(as_json(results)) == results


@pytest.mark.parametrize(("caught", "bonus"), [(20, None), (0, MazeBonus(5, 20))])
def test_without_a_rubric_or_a_mistake_nothing_changes(caught: int, bonus: MazeBonus | None) -> None:
    made = report(50, caught=caught)
    assert rubric.apply_bonus(as_data(made), bonus) == as_data(made)


def test_later_layers_take_the_bonus_along_and_stay_within_full_marks() -> None:
    made = report(97, caught=20)
    results = rubric.apply_bonus(as_data(made), MazeBonus(2, 20))
    assert results["score"] == 99
    withdrawn = Decision("now", "me", "", "withdraw", 0.0, check="perfection.deep")
    assert with_layers(results, None, (), {"perfection.deep": withdrawn})["score"] == 100
    late = with_layers(results, {"days": 1, "percent": 10.0, "submitted": "", "deadline": ""}, ())
    assert late["score"] == 89.1
    assert without_layers(late) == results


def test_before_the_deadline_the_bonus_is_not_shown_as_it_would_tell_the_mark() -> None:
    made = report(50, caught=20)
    shown = Report(rubric.apply_bonus(as_data(made), MazeBonus(5, 20))).without_hidden().data
    assert "bonus" not in shown
    assert shown["score"] == 50
    assert all(remark["kind"] != "bonus" for remark in shown["intake"])
