"""What is hidden: what students are told of it, what staff are, and what enters the box when."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from grader.exercises.kit.check import Case
from grader.exercises.kit.facts import facts_of
from grader.exercises.registry import kind_of
from grader.grading.engine import grade
from grader.languages import Message, said
from grader.model import Submission, Verdict
from grader.results import as_data, as_staff_data
from reference.solvers.dfs import DFS
from tests.fake_backends import AnsweringBackend
from tests.grader.grading.answered import answers, graded, small_plan
from tests.submissions.loader import FILES

pytestmark = pytest.mark.usefixtures("_untraced")

MOST_CELLS = 1_000
DEAD = {"kind": "exit status 1", "message": "", "stage": "call", "trace": []}


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


def test_hidden_mazes_enter_the_box_after_all_else() -> None:
    backend = AnsweringBackend(answer=answers())
    assert grade(Submission("ada", dict.fromkeys(FILES.values(), b"")), small_plan(), backend).score == 100.0
    (box,) = backend.boxes
    rounds = [str(message) for message in box.received if message["type"] == "round"]
    hidden = [repr(maze.maze.to_text()) for maze in small_plan().rubric.mazes if maze.visibility == "hidden"]
    hidden = [text for text in hidden if len(text) > 100]  # a small one may be drawn as well
    hidden += [repr(case.maze) for case in cases_of("perfection.deep")]
    hidden += [repr(case.maze) for case in cases_of("dijkstra.large")]
    first = next(n for n, sent in enumerate(rounds) if any(text in sent for text in hidden))
    shown = {repr(case.maze) for case in (*cases_of("bfs.shortest"), *cases_of("perfection.perfect"))}
    late = [text for text in shown.difference(hidden) if len(text) > 100 and text in str(rounds[first:])]
    assert late == []
    assert not [text for text in hidden if not any(text in sent for sent in rounds[first:])]


def cases_of(check: str) -> Sequence[Case]:
    """The cases of one check of the small plan."""
    return next(
        each.cases for exercise in small_plan().exercises for each in exercise.checks if each.id == check
    )


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

    report = grade(
        Submission("ada", dict.fromkeys(FILES.values(), b"")), small_plan(), AnsweringBackend(answer=answer)
    )
    verdicts = {check.id: check.verdict for e in report.exercises for check in e.checks}
    kinds = {id_: kind_of("dfs").hidden_kind(cases_of(id_)[0]) for id_ in ("dfs.large", "dfs.hidden-mazes")}
    for id_, kind in kinds.items():
        assert kind
        assert verdicts[id_] == Verdict("failed", said("hidden_kind", kind=said(f"kind_{kind}")))


def test_hidden_checks_of_what_is_missing_are_missing_too() -> None:
    no_file = {"kind": "no file", "message": "", "stage": "import", "trace": []}
    told = {"outcome": "missing", "fault": no_file}
    report = grade(
        Submission("ada", dict.fromkeys(FILES.values(), b"")),
        small_plan(),
        AnsweringBackend(answer=lambda target, call: told),
    )
    assert {check.verdict.status for e in report.exercises for check in e.checks} == {"missing"}


def test_the_box_learns_no_names() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "died", "fault": DEAD})
    grade(Submission("ada", dict.fromkeys(FILES.values(), b"")), small_plan(), backend)
    said = json.dumps([box.received for box in backend.boxes])
    names = [maze.name for maze in small_plan().rubric.mazes]
    assert not [word for word in (*names, "hidden", "visit-order", "perfect mazes") if word in said]
