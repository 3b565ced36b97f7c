"""Checks that the rubric declares: how they are read and graded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.commands.course import explanation
from grader.course.plan import load_plan, make_plan
from grader.course.rubric import Rubric, load_rubric
from grader.errors import MazeFileError, RubricError
from grader.exercises import registry
from grader.exports.gradescope import format_results
from grader.exports.junit import junit_report
from grader.feedback import render_html, render_text
from grader.grading.engine import grade
from grader.model import GradedSubmission, Submission
from grader.results import as_data, as_staff_data
from grader.verification.survivors import plan_for_maze
from tests.fake_backends import AnsweringBackend
from tests.grader.course.rubrics import CORNER
from tests.grader.exercises.solvers.solvers_in_styles import WestFirst
from tests.grader.grading.answered import answers
from tests.submissions.loader import FILES

MAZE = (
    """\
name: Round the corner
catches: a depth-first search that does not go north first
visibility: public
exercises: [dfs]
"""
    + CORNER
)
NO_WAY = "name: No way\ncatches: c\nvisibility: public\nmaze: |\n  +-+-+\n  |S|E|\n  +-+-+\n"
RUBRIC = """\
title: Lab
examples: 3
exercises:
  search: {checks: {search.new-cell: 30}}
  dfs:
    checks:
      dfs.visit-order: 40
      dfs.round-the-corner:
        title: No long way round
        points: 30
        mazes: [Round the corner]
        at_most_visits: 5
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "mazes").mkdir()
    (tmp_path / "mazes/corner.yaml").write_text(MAZE, encoding="utf-8")
    (tmp_path / "mazes/none.yaml").write_text(NO_WAY, encoding="utf-8")
    (tmp_path / "rubric.yaml").write_text(RUBRIC, encoding="utf-8")
    return tmp_path / "rubric.yaml"


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def load(path: Path) -> Rubric:
    return load_rubric(path, checks=registry.titles())


def test_only_a_hidden_check_asks_about_a_hidden_maze(path: Path) -> None:
    change(path.parent / "mazes/corner.yaml", "visibility: public", "visibility: hidden")
    with pytest.raises(RubricError, match="is hidden: add 'visibility: hidden' to the check"):
        load(path)
    change(path, "points: 30", "points: 30\n        visibility: hidden")
    assert load(path).exercises[1].checks[1].visibility == "hidden"


def test_the_digest_hangs_on_what_is_stated(path: Path) -> None:
    first = load(path).digest
    change(path, "at_most_visits: 5", "at_most_visits: 6")
    assert load(path).digest != first


# --- graded -------------------------------------------------------------------------------------


def graded(path: Path, **classes: Any) -> GradedSubmission:
    backend = AnsweringBackend(answer=answers(**classes))
    return grade(Submission("ada", dict.fromkeys(FILES.values(), b"")), make_plan(load(path)), backend)


def check_of(data: Mapping[str, Any], id_: str) -> dict[str, Any]:
    return next(check for exercise in data["exercises"] for check in exercise["checks"] if check["id"] == id_)


@pytest.mark.processes
def test_it_is_graded_and_shown_as_any_other_check(path: Path) -> None:
    assert graded(path).score == 100
    results = as_data(graded(path, DFS=WestFirst))
    check = check_of(results, "dfs.round-the-corner")
    assert (check["title"], check["status"], check["score"], check["max_score"], check["visibility"]) == (
        *("No long way round", "failed", 0.0, 30.0),
        "public",
    )
    sentence = "DFS visited 11 cells until it came to the exit; allowed here: at most 5."
    assert check["message"] == f"On the maze “Round the corner”, {sentence}"
    assert check["counterexample"]["maze"] in MAZE.replace("\n  ", "\n")
    assert check["counterexample"]["expected"]["text"] == "cells visited: at most 5"
    assert sentence in " ".join(render_text(results).split())
    assert all(part in render_html(results) for part in ("<svg", "No long way round", sentence))
    for form in (format_results(results), junit_report([results])):
        assert "No long way round" in form.decode()
    assert "dfs.round-the-corner" in explanation(make_plan(load(path)))


@pytest.mark.processes
def test_a_solver_that_finds_no_way_loses_it(path: Path) -> None:
    class Nowhere:
        def solve(self, _maze: object, _search: object) -> None:
            return None

    message = check_of(as_data(graded(path, DFS=Nowhere)), "dfs.round-the-corner")["message"]
    assert message == "On the maze “Round the corner”, DFS returned None, though there is a way."


@pytest.mark.processes
def test_of_a_hidden_one_students_see_the_outcome(path: Path) -> None:
    change(path.parent / "mazes/corner.yaml", "visibility: public", "visibility: hidden")
    change(path, "points: 30", "points: 30\n        visibility: hidden")
    report = graded(path, DFS=WestFirst)
    shown, whole = (
        check_of(data, "dfs.round-the-corner") for data in (as_data(report), as_staff_data(report))
    )
    assert (shown["counterexample"], "Round" in str(shown)) == (None, False)
    assert whole["counterexample"]["expected"]["text"] == "cells visited: at most 5"


@pytest.mark.processes
def test_what_a_maze_states_itself_is_judged_by_the_check_that_names_it(path: Path) -> None:
    change(path, "        at_most_visits: 5\n", "")
    change(path.parent / "mazes/corner.yaml", "maze: |", "at_most_visits: 6\nmaze: |")
    messages = {
        check["id"]: check["message"]
        for check in as_data(graded(path, DFS=WestFirst))["exercises"][1]["checks"]
    }
    assert messages["dfs.round-the-corner"].endswith("allowed here: at most 6.")
    assert "allowed here" not in messages["dfs.visit-order"]


@pytest.mark.processes
@pytest.mark.parametrize(("visibility", "judge"), [("public", "visit-order"), ("hidden", "hidden-mazes")])
def test_where_no_check_names_the_maze_those_of_all_mazes_judge(
    path: Path, visibility: str, judge: str
) -> None:
    path.write_text(
        RUBRIC[: RUBRIC.index("      dfs.visit")]
        + f"      dfs.{judge}: {{points: 70, visibility: hidden}}\n",
        encoding="utf-8",
    )
    maze = path.parent / "mazes/corner.yaml"
    change(maze, "visibility: public", f"visibility: {visibility}\nat_most_visits: 6")
    staff = as_staff_data(graded(path, DFS=WestFirst))
    assert staff["wrong_mazes"][f"dfs.{judge}"] == ["Round the corner"]
    if judge == "hidden-mazes":
        assert check_of(staff, f"dfs.{judge}")["message"].endswith("allowed here: at most 6.")
    path.write_text(
        RUBRIC[: RUBRIC.index("      dfs.visit")] + "      dfs.valid-path: 70\n", encoding="utf-8"
    )
    with pytest.raises(
        MazeFileError, match=rf"at_most_visits: the rubric leaves dfs\.{judge} out, which would"
    ):
        make_plan(load(path))


def test_verify_asks_the_check_about_its_own_mazes_only(path: Path) -> None:
    plan = load_plan(path)
    about = {
        name: [
            check.id
            for exercise in plan_for_maze(plan, path.parent / name).exercises
            for check in exercise.checks
        ]
        for name in ("mazes/corner.yaml", "mazes/none.yaml")
    }
    assert "dfs.round-the-corner" in about["mazes/corner.yaml"]
    assert "dfs.round-the-corner" not in about["mazes/none.yaml"]
