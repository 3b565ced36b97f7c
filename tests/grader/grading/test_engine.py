"""The engine with a sandbox that is none: verdicts, points, and whose fault it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from random import Random
from textwrap import indent
from typing import Any, cast

import pytest

from grader.errors import InputError
from grader.feedback import render_tried
from grader.grading import why
from grader.grading.engine import grade, run_mingled, try_check
from grader.model import Call, Claim, IsPerfect, Submission, Target
from grader.results import as_data, as_json
from grader.session.session import Session
from lab import Maze, Vector
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.search import Search
from tests.fake_backends import AnsweringBackend
from tests.grader.grading.answered import NoWayBack, answers, checks_of, graded, plan_of
from tests.grader.words import english
from tests.submissions.loader import FILES

pytestmark = pytest.mark.processes

SOLVERS = ("dfs", "bfs", "dijkstra")


def test_the_answers_get_everything() -> None:
    report = graded()
    assert (report.score, report.max_score) == (100.0, 100.0)
    assert {check.verdict.status for check in checks_of(report).values()} == {"passed"}
    generator = next(e for e in report.exercises if e.id == "generator")
    assert [(m["rows"], m["columns"]) for m in generator.gallery] == [(5, 5), (8, 12), (12, 12)]


def test_a_slip_in_the_search_costs_no_solver_anything() -> None:
    checks = checks_of(graded("search", *SOLVERS, "perfection", Search=NoWayBack))
    lost = {id_ for id_, check in checks.items() if check.verdict.status != "passed"}
    assert lost
    assert all(id_.startswith("search.") for id_ in lost)
    followed = {id_ for id_, check in checks.items() if check.follow_through}
    assert {"dfs.valid-path", "bfs.shortest", "dijkstra.large", "bfs.hidden-mazes"} <= followed
    assert {id_.partition(".")[0] for id_ in followed} == {*SOLVERS}


def test_without_follow_through_a_solver_on_a_broken_search_is_told_so() -> None:
    report = graded("search", "dfs", Search=NoWayBack, follow_through="none")
    verdict = checks_of(report)["dfs.valid-path"].verdict
    assert verdict.status == "failed"
    assert "mend Search first" in english(verdict.message)
    assert (verdict.hint, verdict.misconception) == ("", None)


class ReturnsCells(BFS):
    """Returns the cells of the way."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        moves = super().solve(maze, search)
        return None if moves is None else [*accumulate(moves, initial=maze.entry)]


def test_a_diagnosis_that_fails_costs_the_hint_only_and_is_told(
    monkeypatch: pytest.MonkeyPatch, logged_errors: list[str]
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("no model")

    explained = graded("bfs", BFS=ReturnsCells)
    monkeypatch.setattr(why, "shared_by", fails)
    report = graded.__wrapped__("bfs", BFS=ReturnsCells)
    assert report.score == explained.score
    assert not [check for check in checks_of(report).values() if check.verdict.misconception]
    (message,) = logged_errors
    assert "while it read a submission" in message
    assert "ZeroDivisionError: no model" in message
    logged_errors.clear()


@pytest.mark.parametrize("often", [0.02, 0.5])
def test_a_submission_that_answers_by_chance_gets_a_result(often: float) -> None:
    luck = Random(int(100 * often))

    class Moody(BFS):
        def solve(self, maze: Any, search: Any) -> Any:
            return None if luck.random() < often else super().solve(maze, search)

    class Unsure(PerfectionChecker):
        def is_perfect(self, maze: Any) -> bool:
            return luck.random() < often or super().is_perfect(maze)

    report = graded("bfs", "perfection", BFS=Moody, PerfectionChecker=Unsure)
    assert report.max_score == 35.0
    assert report.score < 35.0


def test_what_the_submission_says_is_made_visible() -> None:
    class Rude:
        def is_perfect(self, maze: Any) -> bool:
            raise ValueError("\x1b[2J\u202e<script>")

    data = as_data(graded("perfection", PerfectionChecker=Rude))
    text = as_json(data).decode()
    assert json.loads(text) == data
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "ValueError: \\x1b[2J\\u202e<script>" in data["exercises"][0]["checks"][0]["message"]


# --- the order of calls ---------------------------------------------------------------------------


def test_neither_names_nor_groups_nor_their_order_tell_what_is_expected() -> None:
    """Of a perfection checker one could else be right by counting."""
    expected, noted = list[bool](), list[bool]()

    def answer(_target: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
        noted.append("ran" in message)
        assert set(message) - {"ran"} == {"id", "kind", "arguments", "budget"}
        assert message["id"].removeprefix("c").isdigit()
        answer = PerfectionChecker().is_perfect(Maze.from_text(message["arguments"]["maze"]))
        expected.append(answer)
        value = {"returned": {"type": "bool", "value": answer}, "changed": None}
        return {"outcome": "returned", "value": value}

    submission = Submission("ada", dict.fromkeys(FILES.values(), b""))
    report = grade(submission, plan_of("perfection"), AnsweringBackend(answer=answer))
    assert report.score == 15.0
    turns = sum(one is not other for one, other in pairwise(expected))
    assert len(expected) > 500
    assert turns > len(expected) / 4
    told = [answer for answer, is_noted in zip(expected, noted, strict=True) if is_noted]
    assert 0.7 < (sum(told) / len(told)) / (sum(expected) / len(expected)) < 1.4


CALLS = [
    Call(f"{group}.{number}", IsPerfect(f"{group} {number}"), group)
    for group in ("a", "b")
    for number in range(9)
]


class Echo:
    """Stands for a session: tells in each claim's output what was asked."""

    def __init__(self) -> None:
        self.asked: list[list[tuple[str, str]]] = []

    def run(self, _target: Target, calls: Sequence[Call], **_: object) -> tuple[Claim, ...]:
        told = [(call.id, call.asked(IsPerfect).maze) for call in calls]
        self.asked.append(told)
        return tuple(Claim(id_, "returned", output=maze) for id_, maze in told)


@pytest.mark.parametrize("version", [None, b"another text"])
def test_each_claim_is_on_its_own_call_and_the_order_is_the_same_again(version: bytes | None) -> None:
    session, calls = Echo(), [replace(call, version=version) for call in CALLS]
    target = Target("perfection_checker.py", "PerfectionChecker")
    for _ in range(2):
        claims = run_mingled(cast(Session, session), target, calls, False)
        assert [claim.call for claim in claims] == [call.id for call in calls]
        assert [claim.output for claim in claims] == [call.asked(IsPerfect).maze for call in calls]
    first, again = session.asked
    assert first == again
    assert {id_ for id_, _ in first} == {f"c{number}" for number in range(len(calls))}


ROOM = "+-+-+\n|S E|\n+ + +\n|   |\n+-+-+"


@pytest.mark.parametrize("exercise", FILES)
def test_a_check_that_is_tried_says_what_came_of_one_case(exercise: str) -> None:
    plan, files = plan_of(exercise), dict.fromkeys(FILES.values(), b"exec('')")
    box, work = AnsweringBackend(answer=answers()), Submission("ada", files)
    asks_of_mazes = exercise not in ("search", "generator")
    for check in plan.exercises[0].checks:
        tried = try_check(work, plan, box, check.id)
        assert (tried["id"], tried["status"]) == (check.id, "passed")
        told = render_tried(tried)
        assert told.startswith(f"{check.title}: Passed")
        assert ("What came: " in told) == (exercise != "search")
        if asks_of_mazes:
            told = render_tried(try_check(work, plan, box, check.id, ROOM))
            assert indent(ROOM, "  ") in told.replace("S.E", "S E")
        else:
            with pytest.raises(InputError, match="asks about mazes"):
                try_check(work, plan, box, check.id, ROOM)


def test_a_check_that_is_tried_and_lost_shows_both_sides() -> None:
    box = AnsweringBackend(answer=answers(BFS=ReturnsCells))
    work = Submission("ada", {"solvers/bfs.py": b"exec('')"})
    told = render_tried(try_check(work, plan_of("bfs"), box, "bfs.valid-path", ROOM))
    assert told.startswith("The way leads from the entry to the exit: Not yet right\n")
    assert all(line in told for line in ("Expected: a shortest way (1 move)", "What came: [(", "|S E|"))
    with pytest.raises(InputError, match=r"expected a check of the rubric, got bfs\.never; there are bfs\."):
        try_check(work, plan_of("bfs"), box, "bfs.never")
