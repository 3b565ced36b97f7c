"""Cells of CSV files that a spreadsheet shows and never runs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER: Final = re.compile(r"[+-]?\d+([.,]\d+)?")


def defused(text: str) -> str:
    """The text with an apostrophe before it, where a spreadsheet would take it for a formula.

    Plain numbers stay as they are, negative ones too, and so does a lone dash, which platforms write
    where there is nothing. Full-width signs count as the plain ones.
    """
    if text == "-" or _NUMBER.fullmatch(text):
        return text
    start = text.lstrip(" \u00a0\ufeff")[:1].translate({0xFF1D: "=", 0xFF0B: "+", 0xFF0D: "-", 0xFF20: "@"})
    return f"'{text}" if start in _FORMULA and start else text


def plain(cell: str) -> str:
    """Undo ``defused``."""
    return cell[1:] if cell.startswith("'") and defused(cell[1:]) == cell else cell


def points(score: float | None) -> str:
    """Points as a cell: no needless fraction, empty where there are none to speak of."""
    return "" if score is None else f"{score:.2f}".rstrip("0").rstrip(".")


def csv_bytes(lines: Iterable[Sequence[str | float | None]]) -> bytes:
    """A CSV file in UTF-8 with defused cells; numbers are points."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([defused(_printable(_text(cell))) for cell in line] for line in lines)
    return text.getvalue().encode("utf-8")


def _text(cell: str | float | None) -> str:
    return cell if isinstance(cell, str) else points(cell)


def _printable(text: str) -> str:
    """The text without what UTF-8 cannot hold, and without a null, which ends a cell in some readers."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")
