"""What a session does about boxes that are lost, and calls, files and submissions that take too much.

What a submission may use is shared out by exercise, and clocks are stretched while the machine is busy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count, repeat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.inside.wire import PRESSED, Budget, Pace
from grader.model import Claim, Limits, Target
from grader.sandbox.base import Ending
from grader.session import submission_limits
from grader.session.replies import MAX_OUTPUT
from grader.session.session import Session
from grader.session.submission_limits import (
    ANSWER_FACTOR,
    CALL_ANSWER_BYTES,
    EXPLAINS,
    LEAST_SHARE,
    MAX_SILENCES,
    MOST_DEATHS,
    SubmissionLimits,
    shares_of,
)
from tests.fake_backends import SILENCE, AnsweringBackend, FakeBox, ScriptedBackend, greeting
from tests.grader.session.exchanges import LIMITS, SUBMISSION, YES, done, reply, run
from tests.grader.session.popen_box import CHECKER, question


def test_a_file_that_silences_the_runner_again_and_again_is_not_run_any_more() -> None:
    backend = ScriptedBackend(scripts=[[SILENCE]] * 9)
    claims = run(backend, *(question(str(number)) for number in range(9)))
    assert {claim.outcome for claim in claims} == {"timeout"}
    assert len(backend.boxes) == MAX_SILENCES


KILLED = {"kind": "signal 9", "message": "", "stage": "call", "trace": []}


def test_a_process_that_the_kernel_killed_died_of_memory_once_for_each_kill() -> None:
    script = [reply("a", outcome="died", fault=KILLED), reply("b", outcome="died", fault=KILLED), done()]
    claims = run(ScriptedBackend(scripts=[script], kills=lambda: 1), question("a"), question("b"))
    assert [claim.outcome for claim in claims] == ["out-of-memory", "died"]


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ("timeout", [(0, False), (2, False), (1, False), (0, False), (2, False)]),
        ("endless", [(0, False), (0, True), (0, False)]),
    ],
)
def test_after_a_call_that_took_too_long_later_ones_of_its_file_get_less(
    outcome: str, told: list[tuple[int, bool]]
) -> None:
    """One that timed out is made once more first, by itself."""
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": outcome})
    with Session(backend, LIMITS, SUBMISSION) as session:
        for target in (CHECKER, CHECKER, Target("x/y.py", "other")):
            session.run(target, [question("c1")])
    assert [(sent["hurry"], sent["tired"]) for sent in rounds_of(backend)] == told


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


def rounds_of(backend: Any) -> list[Any]:
    return [message for box in backend.boxes for message in box.received if message["type"] == "round"]


def test_a_file_that_cannot_be_loaded_in_time_is_not_tried_again_but_others_are() -> None:
    fault = {"kind": "timeout", "message": "", "stage": "import", "trace": []}
    slow = {"outcome": "timeout", "fault": fault}
    backend = AnsweringBackend(answer=lambda target, call: slow if target["file"] == CHECKER.file else YES)
    with Session(backend, LIMITS, SUBMISSION) as session:
        session.run(CHECKER, [question("c1")])
        claims = session.run(CHECKER, [question("c2"), question("c3")])
        assert [claim.outcome for claim in claims] == ["timeout", "timeout"]
        assert len(rounds_of(backend)) == 2, "the second by itself"
        assert session.run(Target("x/y.py", "other"), [question("c1")])[0].outcome == "returned"


def test_the_time_of_a_submission_ends_in_the_middle_of_a_round_and_is_over_for_all_later_ones() -> None:
    backend = AnsweringBackend(answer=lambda target, call: YES)
    limits = replace(LIMITS, submission_wall_seconds=1e-9)
    with Session(backend, limits, SUBMISSION) as session:
        claims = session.run(CHECKER, [question(name) for name in "abc"])
        assert [claim.outcome for claim in claims] == ["returned", "not-asked", "not-asked"]
        assert claims[1].before is not None
        assert claims[1].before.count == 1
        assert session.run(CHECKER, [question("a")])[0].outcome == "not-asked"
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
    calls = [*(question(name, group=name[0]) for name in IN_GROUPS), question("c")]
    ending = {"outcome": outcome, "fault": {"kind": outcome, "message": "", "stage": "call", "trace": []}}
    backend = AnsweringBackend(answer=lambda target, call: ending if call["id"] == "a1" else YES)
    with Session(backend, LIMITS, SUBMISSION) as session:
        claims = session.run(CHECKER, calls)
        assert session.restarts == 0
    assert [claim.outcome for claim in claims] == [
        *(outcome, "returned", outcome, "returned", outcome, "returned")
    ]
    assert [claim.fault.kind for claim in (claims[2], claims[4])] == ["not run"] * 2  # type: ignore[union-attr]
    assert [[call["id"] for call in sent["calls"]] for sent in rounds_of(backend)] == [
        [*IN_GROUPS, "c"], ["b1", "b2", "c"],
    ]  # fmt: skip
    assert len(backend.boxes) == boxes, "a box in which a call was only endless goes on"


def test_a_round_that_goes_on_after_an_endless_call_is_a_violation() -> None:
    calls = [question(name, group=name[0]) for name in ("a1", "b1")]
    script = [reply("a1", outcome="endless"), reply("b1", **YES), done()]
    backend = ScriptedBackend(scripts=[script, [reply("b1", 2, **YES), done(2)]])
    with Session(backend, LIMITS, SUBMISSION) as session:
        claims = session.run(CHECKER, calls)
        assert session.restarts == 1
    assert [claim.outcome for claim in claims] == ["endless", "violation"]


# --- purses: what one exercise spends is never another's -------------------------------------------

FILES = "abcdefghijklmnopqrst"
PLANNED = st.lists(st.integers(0, 2000), min_size=1, max_size=len(FILES)).map(
    lambda counts: dict(zip(FILES, counts, strict=False))
)
SPENDING = st.lists(st.tuples(st.sampled_from(FILES), st.integers(0, 400), st.booleans()), max_size=30)


@given(PLANNED)
def test_all_of_the_time_is_shared_out_and_nobody_gets_less_than_a_fifteenth(calls: dict[str, int]) -> None:
    shares = shares_of(calls)
    assert sum(shares.values()) == pytest.approx(1)
    assert min(shares.values()) >= min(LEAST_SHARE, 1 / len(calls)) - 1e-9
    assert (
        sorted(calls, key=lambda file: (calls[file], file))
        == sorted(shares, key=lambda file: (shares[file], file))
        or len(calls) >= 1 / LEAST_SHARE
    )


@given(PLANNED, SPENDING)
def test_nobody_spends_what_is_anothers_and_what_explains_nothing_that_decides(
    calls: dict[str, int], spending: list[tuple[str, int, bool]]
) -> None:
    shares, part = shares_of(calls), (1 - EXPLAINS) * LIMITS.submission_cpu_seconds
    limits, given = SubmissionLimits(LIMITS, shares), set()
    decides, explains = dict.fromkeys(calls, 0.0), 0.0
    for file, seconds, explaining in spending:
        target, claim = Target(file, "X"), Claim("a", "returned", cpu_seconds=seconds)
        if explaining:
            with limits.aside():
                assert limits.second_try(target) is None
                limits.note_answer(target, claim, 1, isolate=False, asks=False)
            explains += seconds
        elif file in calls and file not in given:
            limits.note_answer(target, claim, 1, isolate=False, asks=False)
            decides[file] += seconds
            if seconds < 200:
                limits.give(target, kept=0.5)
                given.add(file)
    assert limits.explains_no_more is (explains >= EXPLAINS * LIMITS.submission_cpu_seconds)
    for file in calls:
        own = shares[file] * part * (0.5 if file in given else 1.0)
        assert not limits.is_over(Target(file, "X"), asks=False) or decides[file] >= own - 1e-6


@given(st.lists(st.integers(0, 60), max_size=9))
def test_what_is_done_once_more_takes_no_more_than_what_is_left(seconds: list[int]) -> None:
    limits = SubmissionLimits(LIMITS, {CHECKER.file: 1.0})
    for each in seconds:
        claim = Claim("a", "returned", cpu_seconds=each)
        limits.note_answer(CHECKER, claim, 1, isolate=False, asks=False)
    left = LIMITS.submission_cpu_seconds - sum(seconds)
    assert limits.left == (max(0.0, left), LIMITS.submission_wall_seconds)
    for share in (0.1, 1.0):
        assert limits.can_repeat(CHECKER, share) is (sum(seconds) < share * (1 - EXPLAINS) * left)


@given(
    has=st.integers(0, 8), asks=st.booleans(), told=st.sampled_from([0.0, 0.3, 0.9, 1.0]), kept=st.booleans()
)
def test_a_call_that_took_what_was_left_and_not_all_that_it_had_leaves_nothing(
    has: int, asks: bool, told: float, kept: bool
) -> None:
    limits = SubmissionLimits(replace(LIMITS, submission_cpu_seconds=5.0), {CHECKER.file: 1.0}, lambda: 1.0)
    if kept:
        limits.keep_half(CHECKER)
    left, _ = limits.left_to(CHECKER, asks=asks)
    claim = Claim("a", "timeout", cpu_seconds=told * min(left, has))
    is_cut = left < has and told != 0.3
    with limits.timed(CHECKER):
        limits.note_timeout(CHECKER, claim, has, asks=asks)
        assert limits.is_over(CHECKER, asks=asks) is is_cut
    assert limits.is_over(CHECKER, asks=asks) is is_cut
    assert limits.is_over(CHECKER, asks=True) is (is_cut and (asks or not kept))


@pytest.mark.parametrize("kept", [False, True])
def test_half_is_kept_for_calls_with_the_graders_search(kept: bool) -> None:
    limits = SubmissionLimits(LIMITS, {CHECKER.file: 1.0})
    if kept:
        limits.keep_half(CHECKER)
    slow = Claim("a", "returned", cpu_seconds=0.6 * (1 - EXPLAINS) * LIMITS.submission_cpu_seconds)
    limits.note_answer(CHECKER, slow, 1, isolate=False, asks=False)
    assert [limits.is_over(CHECKER, asks=asks) for asks in (False, True)] == [kept, False]


@given(st.floats(0, 1), st.floats(0, 0.1))
def test_what_is_kept_for_later_is_no_more_than_what_others_have_left(others: float, own: float) -> None:
    """A file that spends what others left over takes nothing of a third one's own share."""
    quick, slow = Target("quick.py", "Q"), Target("slow.py", "S")
    shares = {"done.py": 0.6, quick.file: 0.2, slow.file: 0.2}
    limits = SubmissionLimits(LIMITS, shares)
    limits.give(Target("done.py", "D"))
    limits.keep_half(quick)
    whole = (1 - EXPLAINS) * LIMITS.submission_cpu_seconds
    for target, part in ((slow, 0.2 + 0.6 * others), (quick, own)):
        claim = Claim("a", "returned", cpu_seconds=part * whole)
        limits.note_answer(target, claim, 1, isolate=False, asks=False)
    rest = (0.2 + 0.6 * (1 - others)) / 2 - own
    assert limits.left_to(quick, asks=False)[0] == pytest.approx(max(0.0, rest * whole), abs=1e-6)
    assert limits.left_to(quick, asks=True)[0] == pytest.approx((2 * rest + own) * whole, abs=1e-6)


def test_what_told_nothing_of_its_time_computed_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(0, 70)
    monkeypatch.setattr(submission_limits, "monotonic", lambda: float(next(clock)))
    for told, is_over in ((True, False), (False, True)):
        limits = SubmissionLimits(LIMITS, {CHECKER.file: 0.5, "x/y.py": 0.5}, lambda: 1.0)
        with limits.timed(CHECKER):
            limits.note_answer(CHECKER, Claim("a", "returned", cpu_seconds=1.0), 1, isolate=False, asks=False)
            if told:
                limits.note_end()
        assert limits.is_over(CHECKER, asks=False) is is_over


# --- how busy the machine is, as the clocks see it --------------------------------------------------


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        ("0.00 0.00 0.00 1/600 4711", 1.0),
        ("9.00 9.00 9.00 3/600 4711", 1.5),
        ("0.00 0.00 0.00 12/600 4711", 6.0),
        ("0.00 0.00 0.00 900/999 4711", submission_limits.MOST),
    ],
)
def test_processes_that_want_to_run_share_the_processors(
    load: str, expected: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loadavg").write_text(load)
    monkeypatch.setattr(submission_limits, "_LOAD", tmp_path / "loadavg")
    monkeypatch.setattr(submission_limits, "_cores", lambda: 2)
    assert submission_limits.stretch_now() == expected


def test_only_the_seconds_on_the_wall_are_stretched() -> None:
    whole = Budget(1000, 100, 500, 50, 5.0, 15.0)
    assert Pace(stretch=4.0).of_call(whole) == whole._replace(wall_seconds=60.0)
    assert Pace(PRESSED, stretch=4.0).of_call(whole).wall_seconds == 6.0
    assert Pace(stretch=4.0).after("timeout") == Pace(PRESSED, stretch=4.0)


def asked(monkeypatch: pytest.MonkeyPatch, seconds: float, busy: Callable[[], float]) -> tuple[Claim, ...]:
    """Ask one call after the other while each takes some seconds on the wall, with a purse of 8."""
    clock, now, limits = count(1), [0], replace(LIMITS, submission_wall_seconds=20)
    monkeypatch.setattr(submission_limits, "monotonic", lambda: now[0] * seconds)

    def answer(_target: Any, _call: Any) -> dict[str, Any]:
        now[0] = next(clock)
        return YES

    backend = AnsweringBackend(answer=answer)
    shares = {CHECKER.file: 0.5, "x/y.py": 0.5}
    with Session(backend, limits, SUBMISSION, shares=shares, stretch=busy) as session:
        claims = [session.run(CHECKER, [question("a")])[0] for _ in range(8)]
        other = session.run(Target("x/y.py", "other"), [question("a")])
    assert {sent["stretch"] for box in backend.boxes for sent in box.received if sent["type"] == "round"} == {
        busy()
    }
    return (*claims, *other)


def outcomes(claims: tuple[Claim, ...]) -> list[str]:
    return [claim.outcome for claim in claims]


def test_a_busy_machine_takes_no_time_away_and_one_file_none_of_anothers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    idle = outcomes(asked(monkeypatch, 2.0, lambda: 1.0))
    assert outcomes(asked(monkeypatch, 20.0, lambda: 10.0)) == idle
    assert idle == ["returned"] * 4 + ["not-asked"] * 4 + ["returned"]


# --- whoever ends a process or a box is named by the call in hand; no other call is --------------------

NAMES = ("a", "b", "c", "d", "e")
LOST = Ending(signal=9, out_of_memory=True)
DEAD = {"kind": "signal 11", "message": "", "stage": "call", "trace": []}


@dataclass
class MortalBackend(AnsweringBackend):
    """Boxes that end when they are to make one of the calls, and take some of the last replies along."""

    culprit: str = ""
    lost: int = 0
    ending: Ending = LOST

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
    ("ending", "outcome"), [(LOST, "out-of-memory"), (Ending(exit_status=1), "violation")]
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


def test_after_a_few_that_end_their_process_the_rest_of_a_group_is_not_made() -> None:
    backend = AnsweringBackend(answer=lambda target, call: {"outcome": "died", "fault": DEAD})
    claims = claims_of(backend, group="rooms")
    assert [claim.was_made for claim in claims.values()] == [True] * MOST_DEATHS + [False] * 2
    assert {claim.outcome for claim in claims.values()} == {"died"}
