"""Text from outside, made safe to show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.text import all_visible, in_bytes, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("æøå 迷路 🐜", "æøå 迷路 🐜"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("\ud800", "\\ud800"),
        ("\x00\r\u2028", "\\x00\\x0d\\u2028"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_cannot_be_seen_is_spelt_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain æøå 迷路", "plain æøå 迷路"),
        ("two\nlines\r\tand a tab", "two\\nlines\\r\\tand a tab"),
        ("a\xa0space\u202eb\x1b", "a\\xa0space\\u202eb\\x1b"),
    ],
)
def test_in_one_line_no_line_ends(text: str, shown: str) -> None:
    assert visible(text, one_line=True) == shown


def test_what_is_too_long_is_cut() -> None:
    assert visible("x" * 4000, limit=4000) == "x" * 4000
    assert visible("x" * 4001, limit=4000) == "x" * 4000 + " …"
    assert visible("\x1b" * 3, limit=2) == "\\x1b\\x1b …"


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (64 * 1024**2, "64 MiB"), (3 * 1024**3, "3 GiB")],
)
def test_bytes_have_the_largest_unit_that_fits(count: int, shown: str) -> None:
    assert in_bytes(count) == shown


@given(st.text(st.characters()))
def test_what_is_shown_can_be_written_and_stays_as_it_is(text: str) -> None:
    shown = visible(text)
    assert shown.encode().decode() == shown
    assert visible(shown) == shown


def test_every_string_of_plain_data_is_shown() -> None:
    data = {"a\x00": ["\x1b", ("\u202e", 1, None)], "b": {"c": True}}
    assert all_visible(data) == {"a\\x00": ["\\x1b", ["\\u202e", 1, None]], "b": {"c": True}}
