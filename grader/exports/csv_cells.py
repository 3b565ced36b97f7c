"""CSV cells that a spreadsheet cannot mistake for formulas."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

from grader.points import round_points

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER: Final = re.compile(r"[+-]?\d+([.,]\d+)?")


def defuse_formula(text: str) -> str:
    """Return the text, with an apostrophe before it if a spreadsheet would evaluate it as a formula.

    Numbers, including negative ones, and a single dash, which platforms write for an empty value, stay
    unchanged. Full-width signs count as the ASCII ones.
    """
    if text == "-" or _NUMBER.fullmatch(text):
        return text
    start = text.lstrip(" \u00a0\ufeff")[:1].translate({0xFF1D: "=", 0xFF0B: "+", 0xFF0D: "-", 0xFF20: "@"})
    return f"'{text}" if start in _FORMULA and start else text


def undo_defusing(cell: str) -> str:
    """Return a cell without the apostrophe that ``defuse_formula`` put before it."""
    return cell[1:] if cell.startswith("'") and defuse_formula(cell[1:]) == cell else cell


def format_points(score: float | None) -> str:
    """Return points as the text of a cell, without trailing zeros; empty for None."""
    return "" if score is None else f"{round_points(score):.2f}".rstrip("0").rstrip(".")


def encode_csv(lines: Iterable[Sequence[str | float | None]]) -> bytes:
    """Return the lines as a CSV file in UTF-8, with formulas defused and numbers written as points."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([defuse_formula(_printable(_text(cell))) for cell in line] for line in lines)
    return text.getvalue().encode("utf-8")


def _text(cell: str | float | None) -> str:
    return cell if isinstance(cell, str) else format_points(cell)


def _printable(text: str) -> str:
    """Return the text without surrogates, which UTF-8 cannot encode, and null characters, which some readers
    take as the end of a cell."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
