"""From replies to claims: what is read of a shape as it should be, and that no other one gets through."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import ProtocolError
from grader.model import Call, Claim, ClaimValue, Generate, IsPerfect, RunScript, Solve
from grader.model.claims import (
    NONE,
    GeneratedMazes,
    IntValue,
    MazeValue,
    OddElement,
    OtherValue,
    PerfectionAnswer,
    Raised,
    Revisits,
    ScriptSteps,
    SolveRun,
    SolveRuns,
    Spent,
    Value,
    VectorsValue,
    VectorValue,
    truth_value,
)
from grader.session.connection import MAX_COORDINATE, Meanings, WireError, decode, encode, expect_head
from grader.session.replies import MAX_KIND, MAX_LINES, MAX_MOVES, MAX_WALK, claim_of
from grader.session.shapes import FEW, MAX_MAZE, MAX_TEXT
from lab.leftovers import MOST, Leftover
from lab.steps import Event

ROOM = "+-+-+\n|S  |\n+-+-+"
R: list[tuple[Any, Value]] = [
    ({"type": "none"}, NONE),
    ({"type": "bool", "value": False}, truth_value(False)),
    ({"type": "int", "value": 3}, IntValue(3)),
    ({"type": "vector", "value": [1, 2]}, VectorValue((1, 2))),
    ({"type": "vectors", "value": [], "container": "list"}, VectorsValue(())),
    (
        {"type": "vectors", "value": [[0, 1], [1, 0]], "container": "dict_keys"},
        VectorsValue(((0, 1), (1, 0)), "dict_keys"),
    ),
    ({"type": "maze", "value": "anything"}, MazeValue("anything")),
    ({"type": "other", "class": "str", "text": "'x'"}, OtherValue("str", "'x'")),
    (
        {
            "type": "other",
            "class": "list",
            "text": "['x']",
            "index": 0,
            "element": {"class": "str", "text": "'x'"},
        },
        OtherValue("list", "['x']", OddElement(0, "str", "'x'")),
    ),
]
"""What a call may give, as it is sent and as it is read."""
NO_R: list[Any] = [
    None,
    [],
    {},
    {"type": ["none"]},
    {"type": "bool", "value": 1},
    {"type": "int"},
    {"type": "vector", "value": [1, True]},
    {"type": "vector", "value": [1, 2, 3]},
    {"type": "vectors", "value": [[1, 2], [1]], "container": "list"},
    {"type": "vectors", "value": [], "container": 3},
    {"type": "maze", "value": None},
    {"type": "other", "class": "str", "text": "x" * 3000},
    {"type": "maze", "value": "x" * (MAX_MAZE + 1)},
    {"type": "vectors", "value": [[1, 1]] * FEW + [[1, MAX_COORDINATE]], "container": "list"},
    {"type": "vectors", "value": [[1, 1]] * FEW + [[-MAX_COORDINATE, 1]], "container": "list"},
    {"type": "other", "class": "list", "text": "", "index": -1, "element": {"class": "", "text": ""}},
    {"type": "other", "class": "list", "text": "", "index": 0, "element": {"class": "", "text": 3}},
]
CALLS: dict[str, Call] = {
    "solve": Call("c1", Solve((ROOM, ROOM))),
    "script": Call("c1", RunScript(((0, "known_cells", ()), (0, "first_pending", ())))),
    "is_perfect": Call("c1", IsPerfect(ROOM)),
    "generate": Call("c1", Generate(rows=1, columns=2, seed=1, times=2, noise=1)),
}
GIVEN = {"type": "none"}
STREAMS = {"taken": [[1, 1]], "asked": [], "probed": [], "tested": []}
RUN = {**STREAMS, "used_search": True, "late_looks": 0, "changed": None}


def whole_value(kind: str, r: Any) -> Any:
    if kind == "solve":
        return {"runs": [{**RUN, "returned": r}] * 2}
    if kind == "script":
        return {"steps": [{"returned": r}, {"raised": "KeyError", "lookup": True}]}
    if kind == "is_perfect":
        return {"returned": r, "changed": ROOM}
    return {"returned": [r, r]}


def read_value(kind: str, value: Value) -> ClaimValue:
    if kind == "solve":
        return SolveRuns((read_run(value),) * 2)
    if kind == "script":
        return ScriptSteps((value, Raised("KeyError", is_lookup=True)))
    if kind == "is_perfect":
        return PerfectionAnswer(value, ROOM)
    return GeneratedMazes((value, value))


def read_run(value: Value | None, pending: int | None = None) -> SolveRun:
    return SolveRun(value, ((1, 1),), (), (), (), True, 0, None, pending)


def claimed(kind: str, value: Any, outcome: str = "returned") -> Claim:
    fault = {"kind": "E", "message": "", "stage": "call", "trace": []}
    told = {} if outcome == "returned" else {"fault": fault}
    return claim_of({"outcome": outcome, "value": value, **told}, CALLS[kind])


@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize(("sent", "read"), R, ids=str)
def test_every_r_is_taken(kind: str, sent: Any, read: Value) -> None:
    assert claimed(kind, whole_value(kind, sent)).value == read_value(kind, read)


@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("r", NO_R, ids=lambda r: str(r)[:60])
def test_what_is_no_r_is_a_violation(kind: str, r: Any) -> None:
    with pytest.raises(ProtocolError):
        claimed(kind, whole_value(kind, r))


NO_LINES: list[Any] = [
    *({}, {"taken": []}, {"taken": [1]}, {"taken": [["1"]]}, {"taken": [[-1]]}, {"walk": [[1]]}),
    *({"taken": [[1] * (MAX_LINES + 1)]}, {"taken": [[1]], "walk": [[1]] * (MAX_WALK + 1)}),
]
"""What cannot be the lines of a run in which one cell was taken."""


def _spoiled(kind: str) -> Iterator[Any]:
    value = whole_value(kind, GIVEN)
    (key, *_) = value
    yield {}
    yield {**value, "more": 1}
    yield {key: None}
    if isinstance(value[key], list):
        yield {key: value[key][:1]}
        yield {key: value[key] * 2}
        yield {key: [3, 4]}
    if kind == "solve":
        for spoiled in (
            {**RUN},
            {**RUN, "returned": GIVEN, "pending": 3},
            {**RUN, "returned": GIVEN, "taken": [[1, 1, 1]]},
            *({**RUN, "returned": GIVEN, name: [[1, 1]] * 5} for name in STREAMS),
            {
                **RUN,
                "returned": {"type": "vectors", "value": [[0, 1]] * (MAX_MOVES + 1), "container": "list"},
            },
            {**RUN, "returned": GIVEN, "used_search": 1},
            {**RUN, "returned": GIVEN, "late_looks": -1},
            {**RUN, "returned": GIVEN, "late_looks": True},
            {**RUN, "returned": GIVEN, "changed": 3},
            {**RUN, "returned": GIVEN, "lines": [[1]]},
            *({**RUN, "returned": GIVEN, "lines": lines} for lines in NO_LINES),
            {**RUN, "returned": GIVEN, "changed": "x" * (MAX_TEXT + 1)},
        ):
            yield {"runs": [{**RUN, "returned": GIVEN}, spoiled]}
    if kind == "script":
        too_long = {"raised": "A" * (MAX_KIND + 1), "lookup": True}
        no_error = ({"raised": "KeyError"}, {"raised": 3, "lookup": True}, {"raised": "A", "lookup": 1})
        for step in (*no_error, too_long):
            yield {"steps": [{"returned": GIVEN}, step]}


SPOILED = [(kind, value) for kind in CALLS for value in _spoiled(kind)]


@pytest.mark.parametrize(("kind", "value"), SPOILED, ids=lambda part: str(part)[:60])
def test_a_value_of_another_shape_is_a_violation(kind: str, value: Any) -> None:
    with pytest.raises(ProtocolError):
        claimed(kind, value)


def test_what_was_passed_over_is_told_and_anything_else_refused() -> None:
    left: list[Any] = [["passed", "time.sleep", "solvers/dfs.py", 3], ["ended", "", "a.py", 2**31]]
    reply = {"outcome": "returned", "value": whole_value("solve", GIVEN), "left": left}
    assert claim_of(reply, CALLS["solve"]).left == tuple(Leftover(*each) for each in left)
    told = ["passed", "time.sleep", "solvers/dfs.py", 3]
    odd: list[Any] = ["passed", [told] * (MOST + 1), [["forgiven", *told[1:]]], [[["passed"], *told[1:]]]]
    odd += [[["passed", name, *told[2:]]] for name in ("time sleep", "x" * 81)] + [[[*told[:3], -3]]]
    for left in odd:
        with pytest.raises(ProtocolError):
            claim_of({**reply, "left": left}, CALLS["solve"])


@pytest.mark.parametrize("outcome", ["raised", "timeout", "endless"])
def test_a_call_that_was_cut_off_has_a_part_of_its_value(outcome: str) -> None:
    again = {"cell": [1, 1], "times": 7, "first": [1, 2], "walk": [[1, 2], [1, 1]]}
    cut_off = {"runs": [{**RUN, "returned": GIVEN}, {**RUN, "pending": 3, "revisits": again}]}
    last = replace(read_run(None, 3), revisits=Revisits((1, 1), 7, (1, 2), ((1, 2), (1, 1))))
    assert claimed("solve", cut_off, outcome).runs == (read_run(NONE), last)
    for odd in ({**again, "times": -1}, {**again, "walk": [[1]]}, {**again, "first": None}, {"times": 7}):
        with pytest.raises(ProtocolError):
            claimed("solve", {"runs": [{**RUN, "pending": 3, "revisits": odd}]}, outcome)
    assert claimed("solve", {"runs": []}, outcome).value == SolveRuns(())
    assert claimed("script", {"steps": [{"returned": GIVEN}]}, outcome).value == ScriptSteps((NONE,))
    assert claimed("generate", {"returned": []}, outcome).value == GeneratedMazes(())
    assert claimed("is_perfect", None, outcome).value is None
    first = {"runs": [{**RUN, "pending": 3}, {**RUN, "returned": GIVEN}]}
    with pytest.raises(ProtocolError):
        claimed("solve", first, outcome)


def test_what_was_recorded_is_read_as_events_and_anything_else_refused() -> None:
    events = [
        ["line", 12, 1, "", {"cell": "(1, 2)"}, 0, {"path": 2, "stack[0][1]": 2}],
        ["note", 12, 1, "True", {}, 8, {}],
        ["return", 13, 1, "an A at 0x7f0011223344", {}, 0, {}],
    ]
    reply = {"outcome": "returned", "value": whole_value("solve", GIVEN), "steps": events}
    assert claim_of(reply, CALLS["solve"]).events == (
        Event("line", 12, 1, "", {"cell": "(1, 2)"}, 0, {"path": 2, "stack[0][1]": 2}),
        Event("note", 12, 1, "True", {}, 8),
        Event("return", 13, 1, "an A at 0x…", {}),
    )
    for odd in (
        ["jump", 1, 1, "", {}, 0, {}],
        ["line", -1, 1, "", {}, 0, {}],
        ["line", 1, 1, "", [], 0, {}],
        [["line"], 1, 1, "", {}, 0, {}],
        ["line", 1, 1, "", {}, 0],
        ["line", 1, 1, "", {}, -1, {}],
        ["line", 1, 1, "", {}, 0, {"path": "2"}],
        ["line", 1, 1, "", {}, 0, []],
    ):
        with pytest.raises(ProtocolError):
            claim_of({**reply, "steps": [odd]}, CALLS["solve"])


def test_only_a_call_that_was_endless_tells_what_it_spent() -> None:
    reply = {"spent": {"what": "turns", "count": 508_321}, "outcome": "endless", "value": {"runs": []}}
    assert claim_of(reply, CALLS["solve"]).spent == Spent("turns", 508_321, 4)
    fault = {"kind": "E", "message": "", "stage": "call", "trace": []}
    assert claim_of({**reply, "outcome": "timeout", "fault": fault}, CALLS["solve"]).spent is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-100, 100) | st.text("ab", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "value", "runs", "steps", "returned", "changed"]), inner)
    ),
    max_leaves=8,
)


@given(st.sampled_from(sorted(CALLS)), json_values, st.sampled_from(["returned", "raised", "died", "x"]))
def test_no_reply_breaks_the_grader(kind: str, value: Any, outcome: str) -> None:
    with suppress(ProtocolError):
        assert claimed(kind, json.loads(json.dumps(value)), outcome).outcome == outcome


# --- what replies have meant: what is remembered is what would have been read ----------------------

WAY: Mapping[str, Any] = {
    "returned": {"type": "vectors", "value": [[0, 1]], "container": "list"},
    "taken": [[1, 1]],
    "asked": [],
    "probed": [],
    "tested": [],
    "used_search": True,
    "late_looks": 0,
    "changed": None,
}


def line(round_id: int, call: str, value: Any, seconds: Any = 0.000123, **more: Any) -> bytes:
    """A reply in the order in which a runner writes it."""
    told = {"outcome": "returned", "value": value, "cpu_seconds": seconds, "output": "", **more}
    return encode({"type": "reply", "round": round_id, "id": call, **told})[:-1]


def read(data: bytes, round_id: int, call: Call) -> Claim:
    message = decode(data, cap=1 << 20)
    expect_head(message, {"type": "reply", "round": round_id, "id": call.id})
    return claim_of(message, call)


def test_only_so_much_is_remembered() -> None:
    meanings, call = Meanings(most_bytes=700), Call("c1", IsPerfect(ROOM))
    answers = [line(1, "c1", {"returned": {"type": "int", "value": n}, "changed": None}) for n in range(9)]
    for data in answers:
        meanings.keep(data, 1, call, json.loads(data), read(data, 1, call))
    assert [meanings.recall(data, 1, call) is not None for data in answers] == [True, True, *[False] * 7]


VALUES = st.sampled_from(
    [
        (Call("c1", IsPerfect(ROOM)), {"returned": {"type": "bool", "value": True}, "changed": None}),
        (Call("c1", IsPerfect(ROOM)), {"returned": {"type": "int", "value": 10}, "changed": None}),
        (Call("c1", RunScript(((0, "first", ()),))), {"steps": [{"returned": {"type": "none"}}]}),
        (Call("c1", Solve((ROOM,))), {"runs": [WAY]}),
    ]
)
PIECES = st.sampled_from(
    (
        *(b'"', b"\\", b"}", b"]", b"{", b",", b"0", b"1", b"9", b".", b"e5", b" ", b"-", b"true", b"\n"),
        *(b'"a":1,', b"\xc3\xa9", b',"cpu_seconds":0.1,"output":""}', b'"outcome":"died",'),
    )
)


@given(VALUES, st.data())
def test_whatever_a_line_is_it_means_what_it_says(pair: tuple[Call, Any], data: st.DataObject) -> None:
    """A line that was read is changed a little: where it is remembered, reading it gives the same."""
    call, value = pair
    meanings = Meanings()
    whole = line(1, call.id, value)
    lines = [whole]
    for _ in range(3):
        changed = data.draw(st.sampled_from(lines))
        at = data.draw(st.integers(0, len(changed)))
        end = data.draw(st.integers(at, min(len(changed), at + 3)))
        lines.append(changed[:at] + data.draw(PIECES) + changed[end:])
    for each in [*lines, *(other.replace(b"0.000123", b"7.5") for other in lines)]:
        found = meanings.recall(each, 1, call)
        try:
            claim = read(each, 1, call)
        except (WireError, ProtocolError):
            assert found is None
            continue
        assert found in (None, claim)
        meanings.keep(each, 1, call, json.loads(each), claim)
    assert meanings.recall(whole, 1, call) == read(whole, 1, call)
