"""What a session does about boxes that are lost, and calls, files and submissions that take too much."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import Any

import pytest

from grader.model import Limits, Target
from grader.sandbox.base import Ending
from grader.session.replies import MAX_OUTPUT
from grader.session.session import Session
from grader.session.submission_limits import ANSWER_FACTOR, CALL_ANSWER_BYTES, MAX_RESTARTS, MAX_SILENCES
from tests.fake_backends import SILENCE, AnsweringBackend, ScriptedBackend
from tests.grader.session.exchanges import LIMITS, SUBMISSION, YES, done, reply, run
from tests.grader.session.popen_box import CHECKER, question


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


def test_after_a_time_out_the_calls_of_the_same_file_are_pressed() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "timeout"})
    with Session(backend, LIMITS, SUBMISSION) as session:
        for target in (CHECKER, CHECKER, Target("x/y.py", "other")):
            session.run(target, [question("c1")])
    assert [sent["hurry"] for sent in rounds_of(backend)] == [0, 2, 1, 0, 2]


def test_a_call_that_timed_out_counts_only_where_it_does_so_again_by_itself() -> None:
    answers = {"b": iter([{"outcome": "timeout"}, YES]), "d": repeat({"outcome": "timeout"})}
    backend = AnsweringBackend(answer=lambda target, call: next(answers.get(call["id"], repeat(YES))))
    claims = run(backend, *(question(name) for name in ("a", "b", "c", "d", "e")))
    assert [claim.outcome for claim in claims] == ["returned"] * 3 + ["timeout", "returned"]
    told = [(sent["hurry"], sent["isolate"], [c["id"] for c in sent["calls"]]) for sent in rounds_of(backend)]
    assert told == [
        (0, False, ["a", "b", "c", "d", "e"]),
        (2, True, ["b"]),
        (0, False, ["c", "d", "e"]),
        (2, True, ["d"]),
        (1, False, ["e"]),
    ]


def test_after_a_call_that_was_endless_the_file_gets_fewer_turns() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "endless"})
    with Session(backend, LIMITS, SUBMISSION) as session:
        for target in (CHECKER, CHECKER, Target("x/y.py", "other")):
            session.run(target, [question("c1")])
    assert [(sent["hurry"], sent["tired"]) for sent in rounds_of(backend)] == [
        (0, False), (0, True), (0, False),
    ]  # fmt: skip


def rounds_of(backend: Any) -> list[Any]:
    return [message for box in backend.boxes for message in box.received if message["type"] == "round"]


def test_a_file_that_cannot_be_loaded_in_time_is_not_tried_again() -> None:
    fault = {"kind": "timeout", "message": "", "stage": "import", "trace": []}
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "timeout", "fault": fault})
    with Session(backend, LIMITS, SUBMISSION) as session:
        session.run(CHECKER, [question("c1")])
        claims = session.run(CHECKER, [question("c2"), question("c3")])
        assert [claim.outcome for claim in claims] == ["timeout", "timeout"]
        assert len(rounds_of(backend)) == 2, "the second by itself"


def test_the_time_of_a_submission_is_counted_over_all_runs() -> None:
    backend = AnsweringBackend(answer=lambda target, call: YES)
    limits = replace(LIMITS, submission_wall_seconds=1e-9)
    with Session(backend, limits, SUBMISSION) as session:
        assert session.run(CHECKER, [question("a")])[0].outcome == "returned"
        (claim,) = session.run(CHECKER, [question("a")])
        assert claim.outcome == "not-asked"


def test_the_time_of_a_submission_ends_in_the_middle_of_a_round() -> None:
    backend = AnsweringBackend(answer=lambda target, call: YES)
    limits = replace(LIMITS, submission_wall_seconds=1e-9)
    with Session(backend, limits, SUBMISSION) as session:
        claims = session.run(CHECKER, [question(name) for name in "abc"])
        assert [claim.outcome for claim in claims] == ["returned", "not-asked", "not-asked"]
        assert claims[1].before is not None
        assert claims[1].before.count == 1
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


IN_GROUPS = ("a1", "b1", "a2", "b2", "a3")


@pytest.mark.parametrize(("outcome", "boxes"), [("endless", 1), ("output-limit", 2)])
def test_of_a_group_that_ran_into_a_limit_no_more_is_made_and_the_others_go_on(
    outcome: str, boxes: int
) -> None:
    calls = [question(name, group=name[0]) for name in IN_GROUPS]
    ending = {"outcome": outcome, "fault": {"kind": outcome, "message": "", "stage": "call", "trace": []}}
    backend = AnsweringBackend(answer=lambda target, call: ending if call["id"] == "a1" else YES)
    with Session(backend, LIMITS, SUBMISSION) as session:
        claims = session.run(CHECKER, calls)
        assert session.restarts == 0
    assert [claim.outcome for claim in claims] == [outcome, "returned", outcome, "returned", outcome]
    assert [claim.fault.kind for claim in (claims[2], claims[4])] == ["not run"] * 2  # type: ignore[union-attr]
    assert [[call["id"] for call in sent["calls"]] for sent in rounds_of(backend)] == [
        [*IN_GROUPS], ["b1", "b2"],
    ]  # fmt: skip
    assert len(backend.boxes) == boxes, "a box in which a call was only endless goes on"


def test_calls_in_no_group_go_on_after_one_that_was_endless() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "endless"})
    claims = run(backend, *(question(name) for name in IN_GROUPS))
    assert [claim.outcome for claim in claims] == ["endless"] * 5
    assert [sent["until_endless"] for sent in rounds_of(backend)] == [False]


def test_a_round_that_goes_on_after_an_endless_call_is_a_violation() -> None:
    calls = [question(name, group=name[0]) for name in ("a1", "b1")]
    script = [reply("a1", outcome="endless"), reply("b1", **YES), done()]
    backend = ScriptedBackend(scripts=[script, [reply("b1", 2, **YES), done(2)]])
    with Session(backend, LIMITS, SUBMISSION) as session:
        claims = session.run(CHECKER, calls)
        assert session.restarts == 1
    assert [claim.outcome for claim in claims] == ["endless", "violation"]


def test_calls_that_take_long_without_running_into_a_limit_are_all_made() -> None:
    """What they take together hangs on the machine; the time of the whole submission bounds it."""
    calls = [question(f"c{number}", group="g") for number in range(99)]
    backend = AnsweringBackend(answer=lambda target, call: {**YES, "cpu_seconds": 4.0})
    assert {claim.outcome for claim in run(backend, *calls)} == {"returned"}
