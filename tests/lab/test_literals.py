"""Reading literals: what is one, what is none, and that nothing is run or grows beyond bounds."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.literals import MOST_CHARACTERS, NoLiteral, UnreadableError, read_literals

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**52), 2**52) | st.floats(0, 1e300) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


def depth(value: object) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, list | tuple) else 0


@given(PLAIN.filter(lambda value: depth(value) <= 4))
def test_a_literal_is_what_python_says_it_is(value: object) -> None:
    assert read_literals(f"answer = {value!r}\n") == {"answer": value}


def test_of_a_name_that_comes_twice_the_last_counts() -> None:
    text = '"""About it."""\npass\nanswer = []\nanswer: list = [(1, 2), [-3]]\nname = "a" "b"\n'
    assert read_literals(text) == {"answer": [(1, 2), [-3]], "name": "ab"}


@pytest.mark.parametrize(
    "code",
    [
        *("f()", "f'{1}'", "{1: 2}", "[x for x in y]", "[1] * 10**9", "x", "lambda: 1", "b'1'", "1j", "--1"),
        *("-x", "[*x]", "[[[[[1]]]]]", "0x" + "f" * 9_000, "print('run')"),
    ],
)
def test_what_is_no_literal_is_named_and_not_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = read_literals(f"first = 1\nanswer = {code}\n")["answer"]
    assert isinstance(found, NoLiteral)
    assert found.line == 2
    assert found.code.startswith("answer = ")
    assert len(found.code) <= 60
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "line",
    [*("import os", "print(1)", "x += [1]", "x.y = 1", "x[0] = 1", "x = y = 1", "x, y = 1, 2", "del x")],
)
def test_another_statement_refuses_the_file_with_its_line(line: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        read_literals(f"first = 1\n{line}\n")
    assert (refused.value.reason, refused.value.line, refused.value.code) == ("no_assignment", 2, line)


@pytest.mark.parametrize(
    "text", ["x = [1", "x = 1\0", "x = " + "[" * 5_000, "x = " + "9" * 9_000, "\tx = 1\n y"]
)
def test_what_is_no_python_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        read_literals(text)
    assert refused.value.reason == "no_python"


def test_a_file_that_is_too_long_is_not_parsed() -> None:
    with pytest.raises(UnreadableError, match=str(MOST_CHARACTERS)):
        read_literals("(" * (MOST_CHARACTERS + 1))


@given(st.text(alphabet=st.sampled_from("x=[](){},:1 \n\t'\"#+-*\\\0é@f") | st.characters(), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(UnreadableError):
        assert all(isinstance(name, str) for name in read_literals(text))
