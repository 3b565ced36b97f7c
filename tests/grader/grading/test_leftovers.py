"""What was passed over becomes a remark beside the exercise in which it stands, and tells nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from grader.grading.engine import grade
from grader.grading.verdicts import remarks
from grader.model import Submission
from grader.results import as_data
from lab.leftovers import Leftover
from tests.fake_backends import AnsweringBackend
from tests.grader.grading.answered import answers, plan_of

DFS, BFS, HELPER = "solvers/dfs.py", "solvers/bfs.py", "helper.py"
FILES = dict.fromkeys((DFS, BFS, HELPER), b"\n" * 9)
TARGETS = {"dfs": DFS, "bfs": BFS}


def told(**found: list[Leftover]) -> dict[str, list[tuple[str, int]]]:
    made = remarks({"dfs": [], "bfs": [], **found}, TARGETS, FILES)
    return {id_: [(each.file, each.line) for each in each_found] for id_, each_found in made.items()}


def test_a_remark_stands_beside_the_exercise_of_its_file() -> None:
    sleeps = Leftover("passed", "time.sleep", DFS, 3)
    assert told(bfs=[sleeps]) == {"dfs": [(DFS, 3)], "bfs": []}


def test_what_stands_in_a_helper_is_told_where_it_was_called() -> None:
    sleeps = Leftover("passed", "time.sleep", HELPER, 3)
    assert told(bfs=[sleeps]) == {"dfs": [], "bfs": [(HELPER, 3)]}


@pytest.mark.parametrize(("file", "line"), [("/etc/passwd", 1), (DFS, 0), (DFS, 11)])
def test_what_is_no_place_in_the_submission_is_not_told(file: str, line: int) -> None:
    assert told(dfs=[Leftover("passed", "time.sleep", file, line)])["dfs"] == []


def test_only_calls_that_are_shown_tell_what_they_passed_over() -> None:
    """By the line that sleeps, code could tell students what it saw in a hidden maze."""
    plan, answer = plan_of("dfs", "bfs"), answers()
    hidden = {
        case.call.arguments
        for exercise in plan.exercises
        for check in exercise.checks
        for case in check.cases
        if plan.points[check.id].visibility == "hidden" or case.hidden
    }

    def sleeping(target: Mapping[str, Any], message: Mapping[str, Any]) -> Mapping[str, Any]:
        mazes = message["arguments"].get("mazes")
        line = 2 if any(getattr(each, "mazes", None) == tuple(mazes or ()) for each in hidden) else 1
        return {**answer(target, message), "left": [["passed", "time.sleep", DFS, line]]}

    report = grade(Submission("ada", {DFS: b"\n\n"}), plan, AnsweringBackend(answer=sleeping))
    found = {exercise["id"]: exercise.get("remarks") for exercise in as_data(report)["exercises"]}
    assert [(each["file"], each["line"]) for each in found.pop("dfs") or ()] == [(DFS, 1)]
    assert set(found.values()) == {None}
