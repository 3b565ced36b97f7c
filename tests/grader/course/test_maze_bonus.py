"""The bonus for test mazes of one's own: read from the rubric, and never more than full marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.batch.marks.layers import with_layers, without_layers
from grader.batch.marks.ledger import Decision
from grader.course.maze_bonus import MazeBonus, apply
from grader.course.rubric import load_rubric
from grader.errors import RubricError
from grader.exercises.registry import titles
from grader.languages import said
from grader.model import CheckResult, ExerciseResult, OwnMaze, OwnMazes, Report, Verdict
from grader.results import as_data, as_json, parse
from grader.serve.web.visible_results import remove_hidden_checks

RUBRIC = """\
title: Checkers
mazes: {mazes}
my_mazes: {bonus}
exercises: {exercises}
"""
PERFECTION = "{perfection: {checks: {perfection.perfect: 100}}}"
MAZES = Path(__file__).parents[3] / "grader" / "mazes"


def rubric(folder: Path, bonus: str, exercises: str = PERFECTION) -> Path:
    path = folder / "rubric.yaml"
    path.write_text(RUBRIC.format(mazes=MAZES, bonus=bonus, exercises=exercises), encoding="utf-8")
    return path


def test_it_is_read(tmp_path: Path) -> None:
    found = load_rubric(rubric(tmp_path, "{bonus: 2.5, mistakes: 54}"), checks=titles())
    assert found.my_mazes == MazeBonus(2.5, 54)
    assert load_rubric(checks=titles()).my_mazes is None


@pytest.mark.parametrize(
    ("bonus", "exercises", "words"),
    [
        ("{bonus: 0, mistakes: 20}", PERFECTION, "3:19: my_mazes.bonus: expected a number from 0.01 to 100"),
        (
            "{bonus: 2, mistakes: 55}",
            PERFECTION,
            "3:32: my_mazes.mistakes: expected a whole number from 1 to 54",
        ),
        ("{bonus: 2}", PERFECTION, "my_mazes: the key 'mistakes' is missing"),
        (
            "{bonus: 2, mistakes: 20}",
            "{dfs: {checks: {dfs.valid-path: 100}}}",
            "test mazes are handed in with the exercise 'perfection': add it, or take this key out",
        ),
    ],
)
def test_what_is_wrong_is_refused(tmp_path: Path, bonus: str, exercises: str, words: str) -> None:
    with pytest.raises(RubricError) as refused:
        load_rubric(rubric(tmp_path, bonus, exercises), checks=titles())
    assert words in str(refused.value)


def report(lost: float, caught: int) -> Report:
    checks = (
        CheckResult("perfection.perfect", "Perfect", 100 - lost, "public", Verdict("passed")),
        CheckResult("perfection.deep", "Deep", lost, "hidden", Verdict("failed", said("as_before"))),
    )
    mazes = OwnMazes((OwnMaze("my_mazes/a.txt", "", tuple(map(str, range(caught)))),), 54)
    exercise = ExerciseResult("perfection", "Perfect mazes", checks, own_mazes=mazes)
    return Report("ada", "fake", "Lab", "", (exercise,))


@pytest.mark.parametrize(
    ("lost", "caught", "score"), [(50, 20, 55), (50, 54, 55), (50, 10, 52.5), (50, 3, 50.75), (2, 20, 100)]
)
def test_it_gives_points_in_proportion_up_to_full_marks(lost: float, caught: int, score: float) -> None:
    made = report(lost, caught)
    results = apply(as_data(made), made, MazeBonus(5, 20))
    assert results["score"] == score
    assert results["bonus"] == {"points": round(score - (100 - lost), 2), "score_before": 100 - lost}
    assert results["intake"][-1]["message"] == (
        f"Your test mazes catch {caught} typical mistakes, of 20 for the whole bonus: {100 - lost} points "
        f"became {score:g}."
    )
    assert parse(as_json(results)) == results


@pytest.mark.parametrize(("lost", "caught", "bonus"), [(50, 20, None), (50, 0, MazeBonus(5, 20))])
def test_without_a_rubric_or_a_mistake_nothing_changes(
    lost: float, caught: int, bonus: MazeBonus | None
) -> None:
    made = report(lost, caught)
    assert apply(as_data(made), made, bonus) == as_data(made)


def test_of_full_marks_it_makes_no_more() -> None:
    made = report(0.001, 20)
    assert apply(as_data(made), made, MazeBonus(5, 20))["score"] <= 100


def test_later_layers_take_it_along_and_stay_within_full_marks() -> None:
    made = report(3, 20)
    results = apply(as_data(made), made, MazeBonus(2, 20))
    assert results["score"] == 99
    withdrawn = Decision("now", "me", "", "withdraw", 0.0, check="perfection.deep")
    assert with_layers(results, None, (), {"perfection.deep": withdrawn})["score"] == 100
    late = with_layers(results, {"days": 1, "percent": 10.0, "submitted": "", "deadline": ""}, ())
    assert late["score"] == 89.1
    assert without_layers(late) == results


def test_before_the_deadline_it_is_not_shown_as_it_would_tell_the_mark() -> None:
    made = report(50, 20)
    shown = remove_hidden_checks(apply(as_data(made), made, MazeBonus(5, 20)))
    assert "bonus" not in shown
    assert shown["score"] == 50
    assert all(remark["kind"] != "bonus" for remark in shown["intake"])
