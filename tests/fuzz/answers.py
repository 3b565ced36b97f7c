"""Targets for what comes out of a box: bytes, messages, claims, verdicts."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any, Final

from grader.course.plan import Plan, make_plan
from grader.course.rubric import load_rubric
from grader.errors import ProtocolError
from grader.exercises.kit.check import PlannedExercise
from grader.exercises.kit.kind import shared_by
from grader.exercises.registry import kind_of, titles
from grader.grading.search_answers import SearchAnswers
from grader.grading.verdicts import verdict_on
from grader.languages import catalogue
from grader.model import Ask, Call, Generate, IsPerfect, Limits, RunScript, Solve, Submission, Target
from grader.results import in_english
from grader.session.connection import WireError, decode, encode
from grader.session.replies import claim_of
from grader.session.session import Session
from tests.fake_backends import ScriptedBackend
from tests.fuzz.samples import MESSAGES, changed

ROOM: Final = "+-+-+\n|S E|\n+-+-+"
CALLS: Final = (
    Call("c1", Solve((ROOM, ROOM)), group="solve"),
    Call("c2", RunScript(((0, "known_cells", ()), (0, "first_pending", ())))),
    Call("c3", IsPerfect(ROOM, (ROOM,))),
    Call("c4", Generate(rows=1, columns=2, seed=1, times=2)),
    Call("c5", Ask("", (("rng", "1"),), size=1)),
)
_CAP: Final = 64 * 1024
_LIMITS: Final = Limits(reply_bytes=_CAP, output_bytes=1024)
_FEW: Final = 3
"""How many cases a judge gets at a time."""


def wire(data: bytes) -> None:
    """A box sends these bytes instead of its replies; every call still gets its claim."""
    with suppress(WireError):
        message = decode(data, cap=_CAP)
        assert decode(encode(message), cap=8 * _CAP) == message
    backend = ScriptedBackend(scripts=[[data[:7], data[7:]]])
    with Session(backend, _LIMITS, Submission("ada", {})) as session:
        claims = session.run(Target("solvers/dfs.py", "DFS"), CALLS, answers=SearchAnswers)
    assert [claim.call for claim in claims] == [call.id for call in CALLS]


def replies(data: bytes) -> None:
    """A message is a claim about any kind of call, or a question, or it is refused."""
    with suppress(WireError):
        message = decode(data, cap=_CAP)
        for call in CALLS:
            with suppress(ProtocolError):
                claim_of(message, call)
        with suppress(ProtocolError):
            encode(SearchAnswers(CALLS[0]).answer(message))


def judges(data: bytes) -> None:
    """Every call of an exercise gets the same changed reply, which is judged and explained.

    The first byte selects the exercise.
    """
    message = changed(data[1:], lambda name: deepcopy(MESSAGES.get(name, MESSAGES["solved"])))
    exercises = _plan().exercises
    exercise = exercises[ord(data[:1] or b"0") % len(exercises)]
    with suppress(WireError, ProtocolError):
        _judged(exercise, decode(encode(message), cap=_CAP))


def _judged(exercise: PlannedExercise, message: dict[str, Any]) -> None:
    asked = [(check, check.cases[:_FEW], check.controls) for check in exercise.checks]
    calls = {case.call.id: case.call for _, cases, controls in asked for case in (*cases, *controls)}
    claims = {id_: claim_of(_for_call(message, call), call) for id_, call in calls.items()}
    for check, cases, controls in asked:
        found = [check.judge(cases, claims), check.control(controls, claims) if check.control else None]
        for wrong in filter(None, found):
            verdict = verdict_on(exercise, check.id, wrong)
            told = in_english({"message": verdict.message, "counterexample": verdict.counterexample})
            json.dumps(told, allow_nan=False)
    pairs = [(calls[id_], claim) for id_, claim in claims.items()]
    lost = {pair[0].id: [pair] for pair in pairs}
    assert all(map(catalogue("en").hint, shared_by(kind_of(exercise.id), exercise.id, pairs, lost).values()))


def _for_call(message: dict[str, Any], call: Call) -> dict[str, Any]:
    """Return the reply with as many runs, steps or mazes as the call asks for."""
    value = message.get("value")
    if not isinstance(value, dict):
        return message
    counts = {"solve": "mazes", "script": "steps"}
    count = getattr(call.arguments, counts.get(call.arguments.kind, "times"), 1)
    count = count if isinstance(count, int) else len(count)
    stretched = {
        key: (part * count)[:count] if isinstance(part, list) else part for key, part in value.items()
    }
    return {**message, "value": stretched}


@cache
def _plan() -> Plan:
    """Return the shipped rubric's plan with few mazes for each property."""
    return make_plan(replace(load_rubric(checks=titles()), examples=2))
