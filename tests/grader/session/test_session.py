"""The trusted side of the wire, against boxes that answer whatever a test wants."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from grader.errors import SandboxError
from grader.model import Call, Claim, Fault, Frame, Generate, Limits, Solve, Target
from grader.model.claims import VectorsValue
from grader.sandbox.base import Ending
from grader.session.connection import budget_of
from grader.session.replies import MAX_LINES
from grader.session.session import Session
from grader.session.submission_limits import EXPLAINS, MAX_RESTARTS
from tests.fake_backends import SILENCE, AnsweringBackend, ScriptedBackend
from tests.grader.session.exchanges import BUDGET, LIMITS, SUBMISSION, YES, done, reply, run
from tests.grader.session.popen_box import BFS, CHECKER, ROOM, SEARCH, open_session, question


def test_what_the_runner_is_told() -> None:
    backend = AnsweringBackend(answer=lambda target, call: YES)
    run(backend, question("c1", group="g"), isolate=True)
    (box,) = backend.boxes
    hello, load, sent = box.received
    names = ("memory_bytes", "processes", "output_bytes", "reply_bytes", "disk_bytes")
    limits = {name: getattr(LIMITS, name) for name in names}
    assert hello == {"type": "hello", "protocol": 1, "limits": limits}
    assert load == {"type": "load", "files": {CHECKER.file: "/wA=", "x/y.py": ""}, "leftovers": "told"}
    arguments = {"maze": ROOM, "before": []}
    cpu, wall = sent.pop("left")
    assert cpu == (1 - EXPLAINS) * LIMITS.submission_cpu_seconds
    assert 0 < wall <= (1 - EXPLAINS) * LIMITS.submission_wall_seconds
    assert sent == {
        "type": "round",
        "id": 1,
        "target": {"file": CHECKER.file, "name": CHECKER.name},
        "isolate": True,
        "anew": False,
        "hurry": 0,
        "stretch": 1.0,
        "tired": False,
        "search": "own",
        "until_endless": True,
        "processor": None,
        "budgets": [BUDGET],
        "calls": [{"id": "c1", "kind": "is_perfect", "arguments": arguments, "budget": 0, "ran": True}],
    }


def test_larger_calls_have_larger_budgets() -> None:
    small, usual, large = (budget_of(Call("c", Generate(n, n, 1, 1)), LIMITS) for n in (2, 20, 60))
    assert small._asdict() == BUDGET
    assert (small.cpu_seconds, small.wall_seconds) == (usual.cpu_seconds, usual.wall_seconds)
    assert (large.cpu_seconds, large.wall_seconds) == (9 * usual.cpu_seconds, 9 * usual.wall_seconds)
    assert small.turns < usual.turns < large.turns
    sleepy = replace(LIMITS, call_cpu_seconds=1.0, call_wall_seconds=60.0)
    assert budget_of(Call("c", Generate(2, 2, 1, 1)), sleepy).wall_seconds == 3.0, (
        "it may sleep, not for long"
    )


def test_a_box_is_opened_at_the_first_call_and_serves_all_rounds() -> None:
    backend = AnsweringBackend(answer=lambda target, call: YES)
    with Session(backend, LIMITS, SUBMISSION) as session:
        assert backend.boxes == []
        assert session.run(CHECKER, []) == ()
        assert backend.boxes == []
        for _ in range(3):
            assert [c.outcome for c in session.run(CHECKER, [question("a"), question("b")])] == [
                "returned"
            ] * 2
        assert len(backend.boxes) == 1
        assert session.restarts == 0
        assert set(session.timing) == {"start", "calls", "close"}
    assert backend.boxes[0].killed


def test_a_claim_holds_what_the_reply_said() -> None:
    trace = [{"file": "a.py", "line": 3, "function": "f", "code": "x = 1"}]
    fault = {"kind": "KeyError", "message": "at 0x7fffdeadbeef", "stage": "construct", "trace": trace}
    backend = ScriptedBackend(
        scripts=[[reply(outcome="raised", fault=fault, output="0xabcdef012345 0x12", cpu_seconds=1), done()]]
    )
    (claim,) = run(backend)
    assert claim == Claim(
        "c1",
        "raised",
        None,
        Fault("KeyError", "at 0x…", (Frame("a.py", 3, "f", "x = 1"),), "construct"),
        "0x… 0x12",
        1.0,
    )


def test_lines_that_the_file_does_not_have_are_no_lines() -> None:
    told = [[1, 1, 2, 9_999] + [1] * (MAX_LINES - 4), [2]]
    scripts = [[reply(**YES, lines=lines), done()] for lines in told]
    limits = Limits(reply_bytes=100_000)
    calls = [question("c1"), replace(question("c1"), version=b"one\ntwo\rthree")]
    found = [
        run(ScriptedBackend(scripts=[each]), call, limits=limits)
        for each, call in zip(scripts, calls, strict=True)
    ]
    assert [claim.lines for (claim,) in found] == [{1}, {2}]


def test_lines_may_come_in_any_pieces() -> None:
    whole = reply("a", **YES) + reply("b", **YES) + done()
    for size in (1, 7, 1000):
        pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
        claims = run(ScriptedBackend(scripts=[pieces]), question("a"), question("b"))
        assert [claim.outcome for claim in claims] == ["returned", "returned"]


FAULT: dict[str, Any] = {"kind": "", "message": "", "stage": "call", "trace": []}
FRAME = {"file": "", "line": 1, "function": "", "code": ""}
BROKEN = {
    "garbage": b"garbage\n",
    "too long": b" " * 1_000_000 + b"\n",
    "endless": b"x" * 1_000_000,
    "a round that equals": reply(round_id=1, **YES).replace(b'"round":1', b'"round":true'),
    "no outcome": reply(value=None),
    "an unknown outcome": reply(outcome="passed"),
    "no fault": reply(outcome="raised"),
    "negative seconds": reply(**YES, cpu_seconds=-1),
    "a stage that is none": reply(outcome="raised", fault={**FAULT, "stage": "judge"}),
    "a long trace": reply(outcome="raised", fault={**FAULT, "trace": [FRAME] * 21}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_reply_is_a_violation_and_the_rest_goes_on(name: str) -> None:
    calls = [question("c0"), question("c1"), question("c2")]
    first = [reply("c0", **YES), BROKEN[name], reply("c2", **YES), done()]
    backend = ScriptedBackend(scripts=[first, [reply("c2", 2, **YES), done(2)]])
    with Session(backend, LIMITS, SUBMISSION) as session:
        claims = session.run(CHECKER, calls)
        assert [claim.outcome for claim in claims] == ["returned", "violation", "returned"]
        assert session.restarts == 1
    assert [box.killed for box in backend.boxes] == [True, True]
    assert [call["id"] for call in backend.boxes[1].received[-1]["calls"]] == ["c2"]


def test_what_is_asked_aside_costs_later_calls_nothing() -> None:
    answered = [[b"garbage\n"]] * (MAX_RESTARTS + 1) + [
        [reply("c9", MAX_RESTARTS + 2, **YES), done(MAX_RESTARTS + 2)]
    ]
    backend = ScriptedBackend(scripts=answered)
    with Session(backend, LIMITS, SUBMISSION) as session:
        with session.aside():
            session.run(CHECKER, [question(f"c{number}") for number in range(30)])
            assert session.restarts == MAX_RESTARTS + 1
        assert session.restarts == 0
        (claim,) = session.run(CHECKER, [question("c9")])
        assert claim.outcome == "returned"


def test_a_runner_that_is_silent_from_the_start_is_a_fault_of_the_machine() -> None:
    backend = ScriptedBackend(greet=lambda message: SILENCE)
    with Session(backend, LIMITS, SUBMISSION) as session:
        for _ in range(2):
            with pytest.raises(SandboxError):
                session.run(CHECKER, [question()])
    assert [box.killed for box in backend.boxes] == [True, True]


# --- with a runner --------------------------------------------------------------------------------


@pytest.mark.processes
def test_a_round_that_is_larger_than_any_pipe() -> None:
    rows = ["+-" * 60 + "+"]
    rows += ["|S" + " " * 118 + "|", "+ " * 60 + "+"] + ["|" + " " * 119 + "|", "+ " * 60 + "+"] * 58
    maze = "\n".join([*rows, "|" + " " * 118 + "E|", "+-" * 60 + "+"])
    calls = [Call(f"c{number}", Solve((maze,))) for number in range(20)]
    files = {"solvers/bfs.py": BFS, "solvers/search.py": SEARCH}
    with open_session(files, Limits()) as session:
        claims = session.run(Target("solvers/bfs.py", "BFS"), calls)
    assert {claim.outcome for claim in claims} == {"returned"}
    ways = [claim.runs[0].returned for claim in claims]
    assert {len(way.value) for way in ways if isinstance(way, VectorsValue)} == {118}
    assert {len(claim.runs[0].taken) for claim in claims} == {3600}


def test_a_box_that_is_taken_away_is_no_fault_of_the_submission() -> None:
    with pytest.raises(SandboxError, match="taken away while it was used"):
        run(ScriptedBackend(ending=Ending(taken_away=True)), question("c1"))
