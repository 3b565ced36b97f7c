"""What replies have meant: what is remembered is what would have been read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import ProtocolError
from grader.model import Call, Claim, IsPerfect, RunScript, Solve
from grader.session.connection import Meanings, expect_head
from grader.session.replies import claim_of
from grader.session.wire import WireError, decode, encode

ROOM = "+-+-+\n|S E|\n+-+-+"
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
SOLVE = Call("c1", Solve((ROOM,)))
ASK = Call("c1", IsPerfect(ROOM))


def line(round_id: int, call: str, value: Any, seconds: Any = 0.000123, **more: Any) -> bytes:
    """A reply in the order in which a runner writes it."""
    told = {"outcome": "returned", "value": value, "cpu_seconds": seconds, "output": "", **more}
    return encode({"type": "reply", "round": round_id, "id": call, **told})[:-1]


def read(data: bytes, round_id: int, call: Call) -> Claim:
    message = decode(data, cap=1 << 20)
    expect_head(message, {"type": "reply", "round": round_id, "id": call.id})
    return claim_of(message, call)


def kept(meanings: Meanings, data: bytes, round_id: int, call: Call) -> Claim:
    return meanings.keep(data, round_id, call, decode(data, cap=1 << 20), read(data, round_id, call))


def test_the_same_bytes_mean_the_same_to_another_submission() -> None:
    meanings = Meanings()
    first = kept(meanings, line(1, "c1", {"runs": [WAY]}), 1, SOLVE)
    again = Call("c27", SOLVE.arguments)
    data = line(12, "c27", {"runs": [WAY]}, seconds=1.5)
    found = meanings.recall(data, 12, again)
    assert found == read(data, 12, again)
    assert found is not None
    assert found.meaning == first.meaning is not None
    assert found.cpu_seconds == 1.5


@pytest.mark.parametrize(
    ("data", "round_id", "call"),
    [
        (line(2, "c1", {"runs": [WAY]}), 1, SOLVE),
        (line(1, "c2", {"runs": [WAY]}), 1, SOLVE),
        (line(1, "c1", {"runs": [WAY]}), 1, Call("c1", Solve((ROOM.replace("E", " "),)))),
        (line(1, "c1", {"runs": [WAY]}), 1, ASK),
        (line(1, "c1", {"runs": [WAY]}, seconds=-1.0), 1, SOLVE),
        (line(1, "c1", {"runs": [WAY]}, seconds=1e-7), 1, SOLVE),
        (line(1, "c1", {"runs": [WAY]}, output="a word"), 1, SOLVE),
        (line(1, "c1", {"runs": [WAY]}, outcome="raised"), 1, SOLVE),
        (line(1, "c1", {"runs": [WAY]}) + b" ", 1, SOLVE),
        (line(1, "c1", {"runs": [WAY]}).replace(b"0.000123", b"00.000123"), 1, SOLVE),
        (line(1, "c1", {"runs": [WAY]}).replace(b'"taken"', b'"output":"","taken"'), 1, SOLVE),
    ],
)
def test_what_differs_is_read(data: bytes, round_id: int, call: Call) -> None:
    meanings = Meanings()
    kept(meanings, line(1, "c1", {"runs": [WAY]}), 1, SOLVE)
    assert meanings.recall(data, round_id, call) is None


@pytest.mark.parametrize(
    "more",
    [
        {"output": "a word"},
        {"fault": None},
        {"outcome": "raised", "fault": {"kind": "E", "message": "", "stage": "call", "trace": []}},
    ],
)
def test_who_prints_or_fails_is_not_remembered(more: dict[str, Any]) -> None:
    meanings = Meanings()
    data = line(1, "c1", {"returned": {"type": "bool", "value": True}, "changed": None}, **more)
    assert kept(meanings, data, 1, ASK).meaning is None
    assert meanings.recall(data, 1, ASK) is None


def test_only_so_much_is_remembered() -> None:
    meanings = Meanings(most_bytes=700)
    answers = [line(1, "c1", {"returned": {"type": "int", "value": n}, "changed": None}) for n in range(9)]
    numbers = [kept(meanings, data, 1, ASK).meaning for data in answers]
    assert numbers == [0, 1, *[None] * 7]
    assert [meanings.recall(data, 1, ASK) is not None for data in answers] == [True, True, *[False] * 7]


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
