"""The trusted side of the wire, against boxes that answer whatever a test wants."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import Any

import pytest

from grader.errors import SandboxError
from grader.model import Call, Claim, Fault, Frame, Limits, Solve, Submission, Target
from grader.model.claims import VectorsValue
from grader.sandbox.base import Box, Ending, Probe
from grader.session.fake import SILENCE, AnsweringBackend, ScriptedBackend
from grader.session.replies import MAX_OUTPUT
from grader.session.session import Session
from grader.session.submission_limits import ANSWER_FACTOR, CALL_ANSWER_BYTES, MAX_RESTARTS, MAX_SILENCES
from grader.session.wire import encode
from tests.grader.session.popen_box import BFS, CHECKER, ROOM, SEARCH, open_session, question

SUBMISSION = Submission("ada", {CHECKER.file: b"\xff\x00", "x/y.py": b""})
YES: dict[str, Any] = {
    "outcome": "returned",
    "value": {"returned": {"type": "bool", "value": True}, "changed": None},
}
LIMITS = Limits(reply_bytes=10_000, output_bytes=100)


BUDGET = {
    "turns": 508_320,
    "tired_turns": 52_000,
    "questions": 13_200,
    "cpu_seconds": 5.0,
    "wall_seconds": 15.0,
}
"""What a call about four cells gets."""


def reply(name: str = "c1", batch: int = 1, **told: Any) -> bytes:
    return encode({"type": "reply", "batch": batch, "id": name, **told})


def done(batch: int = 1) -> bytes:
    return encode({"type": "done", "batch": batch})


def run(backend: Any, *calls: Call, limits: Limits = LIMITS, **options: Any) -> tuple[Claim, ...]:
    with Session(backend, limits, SUBMISSION) as session:
        return session.run(CHECKER, calls or (question("c1"),), **options)


def test_what_the_runner_is_told() -> None:
    backend = AnsweringBackend(answer=lambda target, call: YES)
    run(backend, question("c1", group="g"), isolate=True)
    (box,) = backend.boxes
    hello, load, batch = box.received
    assert hello == {
        "type": "hello",
        "protocol": 1,
        "limits": {
            "memory_bytes": 512 * 1024 * 1024,
            "processes": 32,
            "output_bytes": 100,
            "reply_bytes": 10_000,
            "disk_bytes": 4 * 1024 * 1024,
        },
    }
    assert load == {"type": "load", "files": {CHECKER.file: "/wA=", "x/y.py": ""}}
    assert batch == {
        "type": "batch",
        "id": 1,
        "target": {"file": CHECKER.file, "name": CHECKER.name},
        "isolate": True,
        "anew": False,
        "hurry": 0,
        "tired": False,
        "search": "own",
        "calls": [
            {
                "id": "c1",
                "kind": "is_perfect",
                "arguments": {"maze": ROOM, "before": []},
                "budget": {
                    "turns": 508320,
                    "tired_turns": 52000,
                    "questions": 13200,
                    "cpu_seconds": 5.0,
                    "wall_seconds": 15.0,
                },
            }
        ],
    }


def test_a_box_is_opened_at_the_first_call_and_serves_all_batches() -> None:
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


def test_lines_may_come_in_any_pieces() -> None:
    whole = reply("a", **YES) + reply("b", **YES) + done()
    for size in (1, 7, 1000):
        pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
        claims = run(ScriptedBackend(scripts=[pieces]), question("a"), question("b"))
        assert [claim.outcome for claim in claims] == ["returned", "returned"]


BROKEN = {
    "garbage": b"garbage\n",
    "no object": b"[]\n",
    "an empty line": b"\n",
    "no number": b'{"type": NaN}\n',
    "too long": b" " * 1_000_000 + b"\n",
    "endless": b"x" * 1_000_000,
    "another type": encode({"type": "done", "batch": 1}),
    "another batch": reply(batch=2, **YES),
    "a batch that equals": reply(batch=1, **YES).replace(b'"batch":1', b'"batch":true'),
    "another call": reply("c2", **YES),
    "no outcome": reply(value=None),
    "an unknown outcome": reply(outcome="passed"),
    "an outcome that is no text": reply(outcome=["returned"]),
    "no value": reply(outcome="returned"),
    "no fault": reply(outcome="raised"),
    "another value": reply(outcome="returned", value={"runs": []}),
    "too much in the value": reply(outcome="returned", value={**YES["value"], "more": 1}),
    "no R": reply(outcome="returned", value={"returned": True, "changed": None}),
    "an unknown R": reply(outcome="returned", value={"returned": {"type": "x"}, "changed": None}),
    "output that is no text": reply(**YES, output=3),
    "negative seconds": reply(**YES, cpu_seconds=-1),
    "seconds that are no number": reply(**YES, cpu_seconds=True),
    "a fault that is none": reply(outcome="raised", fault="KeyError"),
    "a stage that is none": reply(
        outcome="raised", fault={"kind": "", "message": "", "stage": "judge", "trace": []}
    ),
    "a long trace": reply(
        outcome="raised",
        fault={
            "kind": "",
            "message": "",
            "stage": "call",
            "trace": [{"file": "", "line": 1, "function": "", "code": ""}] * 21,
        },
    ),
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


def test_too_many_replies_cost_the_box_and_nothing_else() -> None:
    backend = ScriptedBackend(scripts=[[reply(**YES), reply(**YES), done()]])
    with Session(backend, LIMITS, SUBMISSION) as session:
        (claim,) = session.run(CHECKER, [question("c1")])
        assert claim.outcome == "returned"
        assert session.restarts == 1


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


def test_a_box_after_the_other_is_given_up_on() -> None:
    backend = ScriptedBackend(scripts=[[b"garbage\n"]])
    with Session(backend, LIMITS, SUBMISSION) as session:
        claims = session.run(CHECKER, [question(f"c{number}") for number in range(30)])
        assert {claim.outcome for claim in claims} == {"violation"}
        assert session.restarts == len(backend.boxes) == MAX_RESTARTS + 1


def test_silence_is_a_time_out() -> None:
    backend = ScriptedBackend(scripts=[[SILENCE], [reply("b", 2, **YES), done(2)]])
    claims = run(backend, question("a"), question("b"))
    assert [claim.outcome for claim in claims] == ["timeout", "returned"]


def test_a_file_that_silences_the_runner_again_and_again_is_not_run_any_more() -> None:
    backend = ScriptedBackend(scripts=[[SILENCE]] * 9)
    claims = run(backend, *(question(str(number)) for number in range(9)))
    assert {claim.outcome for claim in claims} == {"timeout"}
    assert len(backend.boxes) == MAX_SILENCES


def test_a_lost_box_is_tried_once_more_before_the_submission_is_blamed() -> None:
    backend = ScriptedBackend(scripts=[[], [reply("c1", 2, **YES), done(2)]])
    (claim,) = run(backend)
    assert claim.outcome == "returned"
    (claim,) = run(ScriptedBackend(scripts=[[]]))
    assert claim.outcome == "violation"


def test_a_box_that_was_lost_to_its_memory() -> None:
    (claim,) = run(ScriptedBackend(scripts=[[]], ending=Ending(signal=9, out_of_memory=True)))
    assert claim.outcome == "out-of-memory"


KILLED = {"kind": "signal 9", "message": "", "stage": "call", "trace": []}


@pytest.mark.parametrize(("counts", "outcome"), [([1], "out-of-memory"), ([0], "died")])
def test_a_process_that_the_kernel_killed(counts: list[int], outcome: str) -> None:
    backend = ScriptedBackend(
        scripts=[[reply(outcome="died", fault=KILLED), done()]], kills=lambda: counts[0]
    )
    (claim,) = run(backend)
    assert claim.outcome == outcome


def test_a_kill_for_memory_is_counted_once() -> None:
    script = [reply("a", outcome="died", fault=KILLED), reply("b", outcome="died", fault=KILLED), done()]
    claims = run(ScriptedBackend(scripts=[script], kills=lambda: 1), question("a"), question("b"))
    assert [claim.outcome for claim in claims] == ["out-of-memory", "died"]


def test_after_a_time_out_the_calls_that_follow_are_hurried() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "timeout"})
    with Session(backend, LIMITS, SUBMISSION) as session:
        for target in (CHECKER, CHECKER, Target("solvers/dfs.py", "DFS")):
            session.run(target, [question("c1")])
    assert [batch["hurry"] for batch in batches_of(backend)] == [0, 3, 2, 1, 3]


def test_a_call_that_timed_out_counts_only_where_it_does_so_again_by_itself() -> None:
    answers = {"b": iter([{"outcome": "timeout"}, YES]), "d": repeat({"outcome": "timeout"})}
    backend = AnsweringBackend(answer=lambda target, call: next(answers.get(call["id"], repeat(YES))))
    claims = run(backend, *(question(name) for name in ("a", "b", "c", "d", "e")))
    assert [claim.outcome for claim in claims] == ["returned"] * 3 + ["timeout", "returned"]
    told = [
        (batch["hurry"], batch["isolate"], [c["id"] for c in batch["calls"]]) for batch in batches_of(backend)
    ]
    assert told == [
        (0, False, ["a", "b", "c", "d", "e"]),
        (3, True, ["b"]),
        (0, False, ["c", "d", "e"]),
        (3, True, ["d"]),
        (2, False, ["e"]),
    ]


def test_after_a_call_that_was_endless_the_file_gets_fewer_turns() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "endless"})
    with Session(backend, LIMITS, SUBMISSION) as session:
        for target in (CHECKER, CHECKER, Target("solvers/dfs.py", "DFS")):
            session.run(target, [question("c1")])
    assert [(batch["hurry"], batch["tired"]) for batch in batches_of(backend)] == [
        (0, False), (0, True), (0, False),
    ]  # fmt: skip


def batches_of(backend: Any) -> list[Any]:
    return [message for box in backend.boxes for message in box.received if message["type"] == "batch"]


def test_a_file_that_cannot_be_loaded_in_time_is_not_tried_again() -> None:
    fault = {"kind": "timeout", "message": "", "stage": "import", "trace": []}
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "timeout", "fault": fault})
    with Session(backend, LIMITS, SUBMISSION) as session:
        session.run(CHECKER, [question("c1")])
        claims = session.run(CHECKER, [question("c2"), question("c3")])
        assert [claim.outcome for claim in claims] == ["timeout", "timeout"]
        assert len(batches_of(backend)) == 2, "the second by itself"


def test_the_time_of_a_submission_is_counted_over_all_runs() -> None:
    backend = AnsweringBackend(answer=lambda target, call: YES)
    limits = replace(LIMITS, submission_wall_seconds=1e-9)
    with Session(backend, limits, SUBMISSION) as session:
        assert session.run(CHECKER, [question("a")])[0].outcome == "returned"
        (claim,) = session.run(CHECKER, [question("a")])
        assert claim.outcome == "timeout"


def test_the_time_of_a_submission_ends_in_the_middle_of_a_batch() -> None:
    backend = AnsweringBackend(answer=lambda target, call: YES)
    limits = replace(LIMITS, submission_wall_seconds=1e-9)
    with Session(backend, limits, SUBMISSION) as session:
        claims = session.run(CHECKER, [question(name) for name in "abc"])
        assert [claim.outcome for claim in claims] == ["returned", "timeout", "timeout"]
        assert "the time for the whole submission" in claims[1].fault.message  # type: ignore[union-attr]
        assert session.restarts == 0
    assert [box.killed for box in backend.boxes] == [True]


def test_the_answers_of_a_file_are_bounded_all_of_them_together() -> None:
    limits, size = Limits(reply_bytes=100_000, output_bytes=100), 60_000
    whole = ANSWER_FACTOR * limits.reply_bytes // (size - CALL_ANSWER_BYTES) + 1
    long = {"returned": {"type": "maze", "value": "x" * size}, "changed": None}
    calls = [question(f"c{number}") for number in range(20)]
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "returned", "value": long})
    with Session(backend, limits, SUBMISSION) as session:
        claims = session.run(CHECKER, calls)
        assert [claim.outcome for claim in claims] == ["returned"] * whole + ["output-limit"] * (20 - whole)
        assert "too large" in claims[-1].fault.message  # type: ignore[union-attr]
        assert session.run(CHECKER, calls[:1])[0].outcome == "output-limit"
        assert session.run(CHECKER, calls[:1], isolate=True)[0].outcome == "returned"
        assert session.run(Target("x/y.py", "other"), calls[:1])[0].outcome == "returned"
        assert session.restarts == 0
    assert [box.killed for box in backend.boxes] == [True, True]


def test_what_is_printed_counts_for_no_answer_and_is_kept_as_far_as_it_is_shown() -> None:
    limits = Limits(reply_bytes=1000, output_bytes=100_000)
    backend = AnsweringBackend(answer=lambda target, call: {**YES, "output": "█" * 50_000})
    claims = run(backend, *(question(f"c{number}") for number in range(5)), limits=limits)
    assert [(claim.outcome, claim.output) for claim in claims] == [("returned", "█" * MAX_OUTPUT)] * 5


def test_of_a_group_that_ran_into_a_limit_no_more_is_made_and_the_others_go_on() -> None:
    calls = [question(name, group=name[0]) for name in ("a1", "b1", "a2", "b2", "a3")]
    first = [reply("a1", outcome="endless"), reply("b1", **YES), reply("a2", **YES), done()]
    backend = ScriptedBackend(scripts=[first, [reply("b1", 2, **YES), reply("b2", 2, **YES), done(2)]])
    with Session(backend, LIMITS, SUBMISSION) as session:
        claims = session.run(CHECKER, calls)
        assert session.restarts == 0
    assert [claim.outcome for claim in claims] == ["endless", "returned", "endless", "returned", "endless"]
    assert [claim.fault.kind for claim in (claims[2], claims[4])] == ["not run"] * 2  # type: ignore[union-attr]
    assert [call["id"] for call in backend.boxes[1].received[-1]["calls"]] == ["b1", "b2"]


def test_calls_that_take_long_without_running_into_a_limit_are_all_made() -> None:
    """What they take together hangs on the machine; the time of the whole submission bounds it."""
    calls = [question(f"c{number}", group="g") for number in range(99)]
    backend = AnsweringBackend(answer=lambda target, call: {**YES, "cpu_seconds": 4.0})
    assert {claim.outcome for claim in run(backend, *calls)} == {"returned"}


class _Broken:
    name, isolation = "broken", ""

    def probe(self) -> Probe:
        return Probe("broken", False, "it is")

    def open(self, limits: Limits) -> Box:
        raise SandboxError("no machine today")


def test_a_fault_of_the_machine_is_raised() -> None:
    with pytest.raises(SandboxError, match="no machine today"):
        run(_Broken())


@pytest.mark.parametrize(
    "greeting",
    [b"", b"garbage\n", encode({"type": "hello", "protocol": 2}), encode({"type": "loaded", "files": 9})],
)
def test_a_runner_that_does_not_greet_is_a_fault_of_the_machine(greeting: bytes) -> None:
    with pytest.raises(SandboxError, match="did not start"):
        run(ScriptedBackend(greet=lambda message: greeting))


def test_a_runner_that_is_silent_from_the_start_is_a_fault_of_the_machine() -> None:
    backend = ScriptedBackend(greet=lambda message: SILENCE)
    with Session(backend, LIMITS, SUBMISSION) as session:
        for _ in range(2):
            with pytest.raises(SandboxError):
                session.run(CHECKER, [question()])
    assert [box.killed for box in backend.boxes] == [True, True]


# --- with a runner --------------------------------------------------------------------------------


def test_a_batch_that_is_larger_than_any_pipe() -> None:
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
