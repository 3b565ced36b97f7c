"""The engine with a sandbox that is none: verdicts, points, and whose fault it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate, pairwise
from random import Random
from typing import Any, NoReturn

import pytest

from grader.commands.explain import explanation
from grader.course.plan import load_plan
from grader.errors import SandboxError
from grader.feedback.result_table import format_result
from grader.grading.engine import grade
from grader.grading.explain import why
from grader.languages import said
from grader.model import Limits, Submission
from grader.results import as_data, as_json
from lab import Maze, Vector
from lab.generators import AldousBroder
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.search import Search
from tests.fake_backends import AnsweringBackend
from tests.grader.grading.answered import NoWayBack, graded, small_plan
from tests.grader.words import english
from tests.submissions.loader import FILES


def test_the_answers_get_everything() -> None:
    report = graded()
    assert (report.score, report.max_score) == (100.0, 100.0)
    assert {check.verdict.status for e in report.exercises for check in e.checks} == {"passed"}


def test_neither_names_nor_groups_nor_their_order_tell_what_is_expected() -> None:
    """Of a perfection checker one could else be right by counting."""
    expected: list[bool] = []

    def answer(_target: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
        assert set(message) == {"id", "kind", "arguments", "budget"}
        assert message["id"].removeprefix("c").isdigit()
        answer = PerfectionChecker().is_perfect(Maze.from_text(message["arguments"]["maze"]))
        expected.append(answer)
        return {
            "outcome": "returned",
            "value": {"returned": {"type": "bool", "value": answer}, "changed": None},
        }

    plan = load_plan()
    exercises = tuple(exercise for exercise in plan.exercises if exercise.id == "perfection")
    report = grade(
        Submission("ada", dict.fromkeys(FILES.values(), b"")),
        replace(plan, exercises=exercises),
        AnsweringBackend(answer=answer),
    )
    assert [exercise.score for exercise in report.exercises] == [15.0]
    turns = sum(one is not other for one, other in pairwise(expected))
    assert len(expected) > 500
    assert turns > len(expected) / 4


def test_a_wrong_solver_loses_in_its_exercise_only() -> None:
    report = graded(BFS=DFS)
    scores = {exercise.id: exercise.score for exercise in report.exercises}
    assert scores == {"search": 15, "dfs": 20, "bfs": 11, "dijkstra": 15, "perfection": 15, "generator": 15}


def test_a_slip_in_the_search_costs_no_solver_anything() -> None:
    checks = {check.id: check for e in graded(Search=NoWayBack).exercises for check in e.checks}
    lost = {id_ for id_, check in checks.items() if check.verdict.status != "passed"}
    assert lost
    assert all(id_.startswith("search.") for id_ in lost)
    followed = {id_ for id_, check in checks.items() if check.follow_through}
    assert {"dfs.valid-path", "bfs.shortest", "dijkstra.large", "bfs.hidden-mazes"} <= followed
    assert not any(id_.startswith(("search", "perfection", "generator")) for id_ in followed)


def test_a_solver_that_is_wrong_with_any_search_is_told_what_it_does_with_a_working_one() -> None:
    checks = {check.id: check for e in graded(Search=NoWayBack, DFS=BFS).exercises for check in e.checks}
    assert checks["dfs.visit-order"].verdict.status == "failed"
    assert "visited" in english(checks["dfs.visit-order"].verdict.message)
    assert checks["dfs.valid-path"].follow_through


def test_without_follow_through_a_solver_on_a_broken_search_is_told_so() -> None:
    report = graded(Search=NoWayBack, follow_through="none")
    checks = {check.id: check for e in report.exercises for check in e.checks}
    verdict = checks["dfs.valid-path"].verdict
    assert verdict.status == "failed"
    assert "mend Search first" in english(verdict.message)
    assert (verdict.hint, verdict.misconception) == ("", None)


def test_handing_the_generator_over_earns_nothing() -> None:
    exercise = next(e for e in graded(MyGenerator=AldousBroder).exercises if e.id == "generator")
    assert (exercise.score, exercise.zeroed) == (0.0, True)
    skipped = [check.verdict for check in exercise.checks if check.verdict.status == "skipped"]
    assert skipped
    assert {verdict.message for verdict in skipped} == {said("not_counted")}


def test_the_generator_is_shown_in_a_gallery() -> None:
    exercise = next(e for e in graded().exercises if e.id == "generator")
    assert [(m["rows"], m["columns"]) for m in exercise.gallery] == [(5, 5), (8, 12), (12, 12)]


class ReturnsCells(BFS):
    """Returns the cells of the way."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        moves = super().solve(maze, search)
        return None if moves is None else [*accumulate(moves, initial=maze.entry)]


def test_a_misconception_comes_with_its_hint_at_every_check_that_is_lost_by_it() -> None:
    checks = {check.id: check for e in graded(BFS=ReturnsCells).exercises for check in e.checks}
    explained = {id_: check.verdict for id_, check in checks.items() if check.verdict.misconception}
    assert {"bfs.shortest", "bfs.valid-path"} <= set(explained)
    assert len({(verdict.misconception, verdict.hint) for verdict in explained.values()}) == 1
    assert all(verdict.hint and verdict.status == "failed" for verdict in explained.values())
    assert not checks["bfs.hidden-mazes"].verdict.misconception


def test_a_diagnosis_that_fails_costs_the_hint_only_and_is_told(
    monkeypatch: pytest.MonkeyPatch, logged_errors: list[str]
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("no model")

    explained = graded(BFS=DFS)
    monkeypatch.setattr(why, "diagnose", fails)
    report = graded.__wrapped__(BFS=DFS)
    assert report.score == explained.score
    assert not [c for e in report.exercises for c in e.checks if c.verdict.misconception]
    (message,) = logged_errors
    assert "while it read a submission" in message
    assert "ZeroDivisionError: no model" in message
    logged_errors.clear()


@pytest.mark.parametrize("often", [0.02, 0.3, 0.7])
def test_a_submission_that_answers_by_chance_gets_a_result(often: float) -> None:
    luck = Random(int(100 * often))

    class Moody(BFS):
        def solve(self, maze: Any, search: Any) -> Any:
            return None if luck.random() < often else super().solve(maze, search)

    class Unsure(PerfectionChecker):
        def is_perfect(self, maze: Any) -> bool:
            return luck.random() < often or super().is_perfect(maze)

    report = graded(DFS=Moody, BFS=Moody, Dijkstra=Moody, PerfectionChecker=Unsure)
    assert report.max_score == 100.0
    assert report.score < 100.0


def test_a_fault_of_the_sandbox_is_no_verdict() -> None:
    class Broken(AnsweringBackend):
        def open(self, limits: Limits) -> NoReturn:
            raise SandboxError("no engine")

    with pytest.raises(SandboxError, match="no engine"):
        grade(
            Submission("ada", dict.fromkeys(FILES.values(), b"")),
            small_plan(),
            Broken(answer=lambda target, call: {}),
        )


def test_what_the_submission_says_is_made_visible() -> None:
    class Rude:
        def is_perfect(self, maze: Any) -> bool:
            raise ValueError("\x1b[2J\u202e<script>")

    data = as_data(graded(PerfectionChecker=Rude))
    text = as_json(data).decode()
    assert json.loads(text) == data
    assert "\x1b" not in text
    assert "\u202e" not in text
    message = data["exercises"][4]["checks"][0]["message"]
    assert "ValueError: \\x1b[2J\\u202e<script>" in message


def test_tables_for_the_terminal() -> None:
    lines = format_result(as_data(graded(BFS=DFS))).splitlines()
    assert lines[0] == "ada: 91 of 100 points"
    assert lines[3] == (
        "    11/20  Breadth-first search: No way is shorter (failed), "
        "North, East, South, West: the visit order (failed), Large mazes (failed) and 1 more"
    )
    assert "  dfs.valid-path" in explanation(small_plan())
