"""A line is a message or a WireError, whatever its bytes are."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.session.connection import MAX_DEPTH, MAX_NUMBER, WireError, decode, encode

CAP = 1_000_000

numbers = st.integers(1 - MAX_NUMBER, MAX_NUMBER - 1) | st.floats(
    1 - MAX_NUMBER, MAX_NUMBER - 1, allow_nan=False, allow_infinity=False
)
texts = st.text(st.characters(exclude_categories=["Cs"]))
plain = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=30,
)
messages = st.dictionaries(texts, plain, max_size=5)

json_like = st.lists(
    st.sampled_from([b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b'"a"', b"1", b"1e999", b"\\ud800"]),
    max_size=60,
).map(b"".join)


@given(messages)
def test_what_was_encoded_is_decoded(message: dict[str, object]) -> None:
    line = encode(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line, cap=len(line)) == message


@given(st.binary() | json_like)
@example(b"")
@example(b"\xff")
@example(b'{"a": "\xed\xa0\x80"}')
def test_anything_else_is_refused_and_nothing_else_happens(line: bytes) -> None:
    try:
        message = decode(line, cap=CAP)
    except WireError:
        return
    assert type(message) is dict
    assert decode(encode(message), cap=CAP) == message


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"{",
        b'{"a": 1} {}',
        b'{"a": 1, "a": 2}',
        b'{"a": {"b": 1, "\\u0062": 2}}',
        b'{"a": NaN}',
        b'{"a": 1e400}',
        b'{"a": 1e17}',
        b'{"a": 9007199254740992}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a": "\\ud800"}',
        b'{"a": "\\udc00\\ud800"}',
        b'{"\\udfff": 1}',
        b'{"a": "\x00"}',
        b"{'a': 1}",
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_refused(line: bytes) -> None:
    with pytest.raises(WireError):
        decode(line, cap=CAP)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{}", {}),
        (b'{"a": 9007199254740991}', {"a": MAX_NUMBER - 1}),
        (b'{"a": -0.30000000000000004}', {"a": -0.30000000000000004}),
        (b'{"a": "1234567890123456789"}', {"a": "1234567890123456789"}),
        (b'{"a": "\\ud83d\\ude00"}', {"a": "\N{GRINNING FACE}"}),
        (b'{"a": "[[[\\"[[["}', {"a": '[[["[[['}),
        (b'{"a": "\\\\"}\r\n', {"a": "\\"}),
    ],
)
def test_what_is_taken(line: bytes, message: dict[str, object]) -> None:
    assert decode(line, cap=CAP) == message


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_the_depth_is_counted_before_anything_recurses(opening: bytes, closing: bytes) -> None:
    def nested(depth: int) -> bytes:
        return b'{"a":' + opening * (depth - 1) + b"1" + closing * (depth - 1) + b"}"

    assert decode(nested(MAX_DEPTH), cap=CAP)
    for depth in (MAX_DEPTH + 1, 1000, 100_000):
        with pytest.raises(WireError, match=f"{MAX_DEPTH} levels"):
            decode(nested(depth), cap=CAP)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"bytes", {1, 2}, object()])
def test_what_cannot_be_encoded(value: object) -> None:
    with pytest.raises(WireError):
        encode({"a": value})


def test_everything_outside_of_ascii_is_escaped() -> None:
    assert encode({"a": "é"}) == b'{"a":"\\u00e9"}\n'
    assert json.loads(encode({"a": "é"})) == {"a": "é"}
