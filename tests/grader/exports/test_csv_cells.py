"""Cells: shown by a spreadsheet, never run."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exports.csv_cells import defuse_formula, encode_csv, format_points, undo_defusing


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://x")',
        "+1+1",
        "-1+1",
        "@SUM(A1)",
        "\tx",
        "\rx",
        "\n=1",
        " =1",
        "＝1",
        "－cmd",
        "+47 99",
    ],
)
def test_formulas_are_defused(text: str) -> None:
    assert defuse_formula(text) == f"'{text}"
    assert undo_defusing(defuse_formula(text)) == text


@pytest.mark.parametrize("text", ["", "-", "-3", "-3.5", "+2", "12,5", "ada", "a=b", "'quoted'", "O'Hara"])
def test_everything_else_stays(text: str) -> None:
    assert defuse_formula(text) == text
    assert undo_defusing(text) == text


@given(st.text())
def test_no_cell_begins_like_a_formula(text: str) -> None:
    (row,) = csv.reader(io.StringIO(encode_csv([["a", text]]).decode(), newline=""))
    if row[1] != "-" and row[1][:1] in ("=", "+", "-", "@", "\t", "\r"):
        float(row[1].replace(",", "."))


@pytest.mark.parametrize(
    ("score", "shown"), [(None, ""), (0.0, "0"), (87.5, "87.5"), (100.0, "100"), (33.33, "33.33")]
)
def test_points(score: float | None, shown: str) -> None:
    assert format_points(score) == shown
