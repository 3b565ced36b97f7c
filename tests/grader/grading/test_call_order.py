"""Calls under other names and in another order: each claim comes back to its own call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, cast

import pytest

from grader.grading.engine import run_mingled
from grader.model import Call, Claim, Fault, IsPerfect, Target
from grader.model.claims import CallsBefore, Spent
from grader.session.session import Session
from lab.steps import Event

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


def test_a_claim_of_another_call_is_the_same_but_for_its_name() -> None:
    told: dict[str, Any] = {
        "call": "c1",
        "outcome": "endless",
        "value": None,
        "fault": Fault("x", "y"),
        "output": "printed",
        "cpu_seconds": 1.5,
        "spent": Spent("turns", 3, 4),
        "meaning": 7,
        "lines": (1, 2),
        "before": CallsBefore(3, 4.0),
        "left": (),
        "events": (Event("return", 3, 1, "None"),),
    }
    assert told.keys() == {field.name for field in fields(Claim)}
    claim = Claim(**told)
    moved, expected = claim.of_call("bfs.valid-path"), replace(claim, call="bfs.valid-path")
    assert [getattr(moved, name) for name in told] == [getattr(expected, name) for name in told]
