"""Whoever ends a process or a box is named by the call in hand; no other call is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from grader.model import Claim, Limits
from grader.sandbox.base import Ending
from grader.session.session import Session
from grader.session.submission_limits import MOST_DEATHS
from tests.fake_backends import AnsweringBackend, FakeBox, ScriptedBackend, greeting
from tests.grader.session.exchanges import LIMITS, SUBMISSION, YES, done, reply
from tests.grader.session.popen_box import CHECKER, question

NAMES = ("a", "b", "c", "d", "e")
KILLED = Ending(signal=9, out_of_memory=True)
DEAD = {"kind": "signal 11", "message": "", "stage": "call", "trace": []}


@dataclass
class MortalBackend(AnsweringBackend):
    """Boxes that end when they are to make one of the calls, and take some of the last replies along."""

    culprit: str = ""
    lost: int = 0
    ending: Ending = KILLED

    def open(self, limits: Limits) -> FakeBox:
        self.boxes.append(FakeBox(self._react_as_mortal, ending=self.ending))
        return self.boxes[-1]

    def _react_as_mortal(self, message: Mapping[str, Any]) -> Iterable[bytes]:
        if message["type"] != "round":
            return [greeting(message)]
        names = [call["id"] for call in message["calls"]]
        if self.culprit not in names:
            return [*(reply(name, message["id"], **YES) for name in names), done(message["id"])]
        before = names[: max(0, names.index(self.culprit) - self.lost)]
        return [reply(name, message["id"], **YES) for name in before]


def claims_of(backend: Any, group: str = "") -> dict[str, Claim]:
    with Session(backend, LIMITS, SUBMISSION) as session:
        claims = session.run(CHECKER, [question(name, group=group) for name in NAMES])
    return {claim.call: claim for claim in claims}


@pytest.mark.parametrize("culprit", NAMES)
@pytest.mark.parametrize("lost", range(len(NAMES)))
@pytest.mark.parametrize(
    ("ending", "outcome"), [(KILLED, "out-of-memory"), (Ending(exit_status=1), "violation")]
)
def test_a_box_is_ended_by_the_call_that_ends_it_each_time(
    culprit: str, lost: int, ending: Ending, outcome: str
) -> None:
    claims = claims_of(MortalBackend(culprit=culprit, lost=lost, ending=ending))
    expected = {name: outcome if name == culprit else "returned" for name in NAMES}
    assert {name: claim.outcome for name, claim in claims.items()} == expected


@pytest.mark.parametrize("at", range(len(NAMES)))
def test_a_box_that_is_lost_once_blames_nobody(at: int) -> None:
    replies = [reply(name, 1, **YES) for name in NAMES[:at]]
    alone = [reply(NAMES[at], 2, **YES), done(2)]
    rest = [*(reply(name, 3, **YES) for name in NAMES[at + 1 :]), done(3)]
    lasting = ScriptedBackend(scripts=[replies])
    rounds = iter([replies, alone, rest])

    def react(message: Mapping[str, Any]) -> Iterable[bytes | None]:
        return next(rounds) if message["type"] == "round" else [greeting(message)]

    lasting.open = lambda limits: FakeBox(react)  # type: ignore[method-assign]
    assert {claim.outcome for claim in claims_of(lasting).values()} == {"returned"}


@pytest.mark.parametrize("culprit", NAMES)
@pytest.mark.parametrize("outcome", ["died", "out-of-memory"])
def test_a_process_that_ends_costs_the_others_of_its_group_nothing(culprit: str, outcome: str) -> None:
    ending = {"outcome": outcome, "fault": DEAD}
    backend = AnsweringBackend(answer=lambda target, call: ending if call["id"] == culprit else YES)
    claims = claims_of(backend, group="rooms")
    assert [name for name, claim in claims.items() if claim.outcome == outcome] == [culprit]


def test_after_a_few_that_end_their_process_the_rest_of_a_group_is_not_made() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "died", "fault": DEAD})
    claims = claims_of(backend, group="rooms")
    assert [claim.was_made for claim in claims.values()] == [True] * MOST_DEATHS + [False] * 2
    assert {claim.outcome for claim in claims.values()} == {"died"}


def test_a_file_that_ends_its_process_as_it_is_loaded_is_loaded_once() -> None:
    fault = {**DEAD, "stage": "import"}
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "died", "fault": fault})
    assert [claim.was_made for claim in claims_of(backend, group="rooms").values()] == [True] + [False] * 4
