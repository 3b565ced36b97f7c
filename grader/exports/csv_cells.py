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
    """Prefix the text with an apostrophe if a spreadsheet would evaluate it as a formula.

    Numbers, including negative ones, and a single dash, which platforms write for an empty value, stay
    unchanged. Full-width signs are treated like the ASCII ones.
    """
    if text == "-" or _NUMBER.fullmatch(text):
        return text
    start = text.lstrip(" \u00a0\ufeff")[:1].translate({0xFF1D: "=", 0xFF0B: "+", 0xFF0D: "-", 0xFF20: "@"})
    return f"'{text}" if start in _FORMULA and start else text


def undo_defusing(cell: str) -> str:
    """Remove the apostrophe that ``defuse_formula`` added to a cell."""
    return cell[1:] if cell.startswith("'") and defuse_formula(cell[1:]) == cell else cell


def format_points(score: float | None) -> str:
    """Format points for a cell, without trailing zeros; empty for None."""
    return "" if score is None else f"{round_points(score):.2f}".rstrip("0").rstrip(".")


def encode_csv(lines: Iterable[Sequence[str | float | None]]) -> bytes:
    """Encode the lines as CSV in UTF-8, with formulas defused and numbers formatted as points."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([defuse_formula(_printable(_text(cell))) for cell in line] for line in lines)
    return text.getvalue().encode("utf-8")


def _text(cell: str | float | None) -> str:
    return cell if isinstance(cell, str) else format_points(cell)


def _printable(text: str) -> str:
    """Replace surrogates, which UTF-8 cannot encode, and remove nulls, which end a cell for some readers."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
