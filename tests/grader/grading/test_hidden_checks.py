"""What is hidden: what students are told of it, what staff are, and what enters the box when."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from grader.exercises.kit.check import Case
from grader.exercises.registry import kind_of
from grader.grading.engine import grade
from grader.languages import said
from grader.model import Submission, Verdict
from grader.results import as_data, as_staff_data
from reference.solvers.dfs import DFS
from tests.fake_backends import AnsweringBackend
from tests.grader.grading.answered import answers, checks_of, graded, plan_of, small_plan
from tests.submissions.loader import FILES

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("_untraced")]

ADA = Submission("ada", dict.fromkeys(FILES.values(), b""))
DEAD = {"kind": "exit status 1", "message": "", "stage": "call", "trace": []}


def test_hidden_checks_show_as_much_as_the_rubric_says() -> None:
    outcome, kind, full = (
        checks_of(graded("bfs", hidden_feedback=how, BFS=DFS))["bfs.hidden-mazes"].verdict
        for how in ("outcome", "kind", "full")
    )
    assert (outcome.message, outcome.counterexample) == (said("hidden"), None)
    assert (str(kind.message).count("hidden_kind"), kind.counterexample, kind.hint) == (1, None, "")
    assert full.counterexample is not None


def test_staff_see_hidden_failures_and_students_do_not() -> None:
    report = graded("bfs", BFS=DFS)
    for_students, for_staff = (
        {check["id"]: check for exercise in data["exercises"] for check in exercise["checks"]}
        for data in (as_data(report), as_staff_data(report))
    )
    hidden = {"bfs.hidden-mazes", "bfs.large"}
    assert {id_ for id_ in for_staff if for_students[id_] != for_staff[id_]} == hidden
    assert [for_students[id_]["counterexample"] for id_ in hidden] == [None, None]
    mazes = [dict(for_staff[id_]["counterexample"] or {})["maze"] for id_ in hidden]
    assert all(str(maze).startswith("+-+") for maze in mazes)


def test_hidden_mazes_enter_the_box_after_all_else() -> None:
    backend = AnsweringBackend(answer=answers())
    assert grade(ADA, small_plan(), backend).score == 100.0
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


@pytest.mark.parametrize("outcome", ["died", "timeout", "output-limit", "raised"])
def test_a_hidden_check_passes_or_does_not(outcome: str) -> None:
    """Code that has seen a hidden maze could say with its kind of failure what it saw."""
    right = answers()
    hidden = {case.maze for case in (*cases_of("dfs.large"), *cases_of("dfs.hidden-mazes"))}

    def answer(target: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
        is_told = set(message["arguments"].get("mazes", ())) & hidden
        return {"outcome": outcome, "fault": DEAD} if is_told else right(target, message)

    report = grade(ADA, plan_of("dfs"), AnsweringBackend(answer=answer))
    verdicts = {id_: check.verdict for id_, check in checks_of(report).items()}
    kinds = {id_: kind_of("dfs").hidden_kind(cases_of(id_)[0]) for id_ in ("dfs.large", "dfs.hidden-mazes")}
    for id_, kind in kinds.items():
        assert kind
        assert verdicts[id_] == Verdict("failed", said("hidden_kind", kind=said(f"kind_{kind}")))


def test_the_box_learns_no_names() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "died", "fault": DEAD})
    grade(ADA, plan_of("dfs", "perfection"), backend)
    said = json.dumps([box.received for box in backend.boxes])
    names = [maze.name for maze in small_plan().rubric.mazes]
    assert not [word for word in (*names, "hidden", "visit-order", "perfect mazes") if word in said]
