"""The engine with a sandbox that is none: verdicts, points, what is hidden, and whose fault it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any, Literal, NoReturn

import pytest

from grader.checks.base import Case
from grader.commands.explain import explanation
from grader.course.plan import Plan, load_plan, make_plan
from grader.errors import SandboxError
from grader.feedback.result_table import result_table
from grader.grading import exam
from grader.grading.engine import grade
from grader.grading.kinds import kind_of
from grader.languages import Message, said
from grader.model import Call, Limits, Report, Submission, Verdict
from grader.oracle.facts import facts_of
from grader.results import as_data, as_json, as_staff_data
from grader.session.fake import AnsweringBackend
from lab import Maze
from lab.generators import AldousBroder
from reference.generators.my_generator import MyGenerator
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.dijkstra import Dijkstra
from reference.solvers.search import Search
from tests.direct import ARGUMENTS, reply_to
from tests.grader.words import english

ANSWERS: dict[str, Any] = {
    "Search": Search,
    "DFS": DFS,
    "BFS": BFS,
    "Dijkstra": Dijkstra,
    "PerfectionChecker": PerfectionChecker,
    "MyGenerator": MyGenerator,
}


class NoWayBack(Search):
    def moves_to(self, position: Any) -> Any:
        assert position
        return []


@cache
def plan() -> Plan:
    return load_plan()


@cache
def small_plan() -> Plan:
    """The shipped rubric with a few mazes for each property."""
    return make_plan(replace(plan().rubric, examples=40))


@cache
def graded(
    *,
    hidden_feedback: Literal["outcome", "kind", "full"] = "outcome",
    follow_through: Literal["full", "none"] = "full",
    **classes: Any,
) -> Report:
    """Grade the reference, with other classes where they are given."""
    rubric = replace(small_plan().rubric, hidden_feedback=hidden_feedback, follow_through=follow_through)
    asked = replace(small_plan(), rubric=rubric)
    return grade(Submission("ada", {}), asked, AnsweringBackend(answer=answers(**classes)))


def answers(**others: Any) -> Any:
    """What answers in the sandbox's place: the reference, with other classes where they are given."""
    classes = {**ANSWERS, **others}

    def answer(target: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
        call = Call(message["id"], ARGUMENTS[message["kind"]](**message["arguments"]))
        search = Search if target["search"] == "grader" else classes["Search"]
        return reply_to(call, classes[target["name"]], search)

    return answer


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

    exercises = tuple(exercise for exercise in plan().exercises if exercise.id == "perfection")
    report = grade(
        Submission("ada", {}), replace(plan(), exercises=exercises), AnsweringBackend(answer=answer)
    )
    assert [exercise.score for exercise in report.exercises] == [15.0]
    turns = sum(one is not other for one, other in pairwise(expected))
    assert len(expected) > 1000
    assert turns > len(expected) / 4


def test_a_wrong_solver_loses_in_its_exercise_only() -> None:
    report = graded(BFS=DFS)
    scores = {exercise.id: exercise.score for exercise in report.exercises}
    assert scores == {"search": 15, "dfs": 20, "bfs": 11, "dijkstra": 15, "perfection": 15, "generator": 15}


def test_hidden_checks_show_their_outcome() -> None:
    checks = {check.id: check for e in graded(BFS=DFS).exercises for check in e.checks}
    hidden = checks["bfs.hidden-mazes"].verdict
    assert (hidden.status, hidden.message, hidden.counterexample) == ("failed", said("hidden"), None)


def test_hidden_checks_may_tell_the_kind_of_maze() -> None:
    checks = {c.id: c for e in graded(hidden_feedback="kind", BFS=DFS).exercises for c in e.checks}
    hidden = checks["bfs.hidden-mazes"]
    shown, whole = hidden.verdict, hidden.for_staff
    assert (shown.status, shown.counterexample, shown.hint) == ("failed", None, "")
    assert isinstance(shown.message, Message)
    assert shown.message.key == "said.hidden_kind"
    assert whole is not None
    maze = str(dict(whole.counterexample or {})["maze"])
    facts = facts_of(maze)
    assert ("cycles" in str(shown.message)) == bool(facts.cycle)
    assert maze not in str(shown)


def test_staff_see_hidden_failures_and_students_do_not() -> None:
    report = graded(BFS=DFS)
    for_students, for_staff = (
        {check["id"]: check for exercise in data["exercises"] for check in exercise["checks"]}
        for data in (as_data(report), as_staff_data(report))
    )
    hidden = {"bfs.hidden-mazes", "bfs.large"}
    assert {id_ for id_ in for_staff if for_students[id_] != for_staff[id_]} == hidden
    assert [for_students[id_]["counterexample"] for id_ in hidden] == [None, None]
    mazes = [dict(for_staff[id_]["counterexample"] or {})["maze"] for id_ in hidden]
    assert all(str(maze).startswith("+-+") for maze in mazes)


def test_hidden_checks_show_more_where_the_rubric_says_so() -> None:
    report = graded(hidden_feedback="full", BFS=DFS)
    checks = {check.id: check for e in report.exercises for check in e.checks}
    assert checks["bfs.hidden-mazes"].verdict.counterexample is not None


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


def test_a_misconception_comes_with_its_hint_at_every_check_that_is_lost_by_it() -> None:
    checks = {check.id: check for e in graded(BFS=DFS).exercises for check in e.checks}
    explained = {id_: check.verdict for id_, check in checks.items() if check.verdict.misconception}
    assert {"bfs.shortest", "bfs.visit-order"} <= set(explained)
    assert len({(verdict.misconception, verdict.hint) for verdict in explained.values()}) == 1
    assert all(verdict.hint and verdict.status == "failed" for verdict in explained.values())
    assert not checks["bfs.hidden-mazes"].verdict.misconception


def test_a_diagnosis_that_fails_costs_the_hint_only_and_is_told(
    monkeypatch: pytest.MonkeyPatch, logged_errors: list[str]
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("no model")

    explained = graded(BFS=DFS)
    monkeypatch.setattr(exam, "diagnose", fails)
    report = graded.__wrapped__(BFS=DFS)
    assert report.score == explained.score
    assert not [c for e in report.exercises for c in e.checks if c.verdict.misconception]
    (message,) = logged_errors
    assert "no diagnosis of the exercise bfs" in message
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
        grade(Submission("ada", {}), plan(), Broken(answer=lambda target, call: {}))


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
    lines = result_table(as_data(graded(BFS=DFS))).splitlines()
    assert lines[0] == "ada: 91 of 100 points"
    assert lines[3] == (
        "    11/20  Breadth-first search: No way is shorter (failed), "
        "North, East, South, West: the visit order (failed), Large mazes (failed) and 1 more"
    )
    assert "  dfs.valid-path" in explanation(plan())


def test_hidden_mazes_enter_the_box_after_all_else() -> None:
    backend = AnsweringBackend(answer=answers())
    assert grade(Submission("ada", {}), plan(), backend).score == 100.0
    (box,) = backend.boxes
    batches = [str(message) for message in box.received if message["type"] == "batch"]
    hidden = [repr(maze.maze.to_text()) for maze in plan().rubric.mazes if maze.visibility == "hidden"]
    hidden = [text for text in hidden if len(text) > 100]  # a small one may be drawn as well
    hidden += [repr(case.maze) for case in cases_of("perfection.deep")]
    hidden += [repr(case.maze) for case in cases_of("dijkstra.large")]
    first = next(n for n, batch in enumerate(batches) if any(text in batch for text in hidden))
    shown = {repr(case.maze) for case in (*cases_of("bfs.shortest"), *cases_of("perfection.perfect"))}
    late = [text for text in shown.difference(hidden) if len(text) > 100 and text in str(batches[first:])]
    assert late == []
    assert not [text for text in hidden if not any(text in batch for batch in batches[first:])]


def cases_of(check: str) -> Sequence[Case]:
    """The cases of one check of the shipped plan."""
    return next(each.cases for exercise in plan().exercises for each in exercise.checks if each.id == check)


@pytest.mark.parametrize(
    "told", [{"outcome": "died"}, {"outcome": "timeout"}, {"outcome": "output-limit"}, {"outcome": "raised"}]
)
def test_a_hidden_check_passes_or_does_not(told: dict[str, Any]) -> None:
    """Code that has seen a hidden maze could say with its kind of failure what it saw."""
    right = answers()
    hidden = {case.maze for case in (*cases_of("dfs.large"), *cases_of("dfs.hidden-mazes"))}

    def answer(target: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
        mazes = set(message["arguments"].get("mazes", ()))
        is_told = target["name"] == "DFS" and mazes & hidden
        return {**told, "fault": DEAD} if is_told else right(target, message)

    report = grade(Submission("ada", {}), plan(), AnsweringBackend(answer=answer))
    verdicts = {check.id: check.verdict for e in report.exercises for check in e.checks}
    kinds = {id_: kind_of(cases_of(id_)[0], "dfs") for id_ in ("dfs.large", "dfs.hidden-mazes")}
    for id_, kind in kinds.items():
        assert kind is not None
        assert verdicts[id_] == Verdict("failed", said("hidden_kind", kind=kind))


def test_hidden_checks_of_what_is_missing_are_missing_too() -> None:
    no_file = {"kind": "no file", "message": "", "stage": "import", "trace": []}
    told = {"outcome": "missing", "fault": no_file}
    report = grade(Submission("ada", {}), plan(), AnsweringBackend(answer=lambda target, call: told))
    assert {check.verdict.status for e in report.exercises for check in e.checks} == {"missing"}


def test_the_box_learns_no_names() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "died", "fault": DEAD})
    grade(Submission("ada", {}), plan(), backend)
    said = json.dumps([box.received for box in backend.boxes])
    names = [maze.name for maze in plan().rubric.mazes]
    assert not [word for word in (*names, "hidden", "visit-order", "perfect mazes") if word in said]


DEAD = {"kind": "exit status 1", "message": "", "stage": "call", "trace": []}
