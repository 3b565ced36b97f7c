"""A platform's gradebook as a table: its format, and the student of each row."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.grades_csv import explain_unreadable
from grader.platforms.base import Grade, Platform, Row
from grader.platforms.registry import PLATFORMS
from grader.text import visible

_SPREADSHEET_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)?E\+?\d+|\d+[.,]0+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table, and the format of its file."""

    head: list[str]
    known: list[str]
    """Column heads in English."""
    rows: list[list[str]]
    encoding: str
    separator: str
    line_end: str

    def cells(self, row: Sequence[str]) -> dict[str, str]:
        """Return a row's cells by column head, padding short rows with empty cells.

        If two columns have the same head, the first counts.
        """
        found: dict[str, str] = {}
        for head, cell in zip_longest(self.known, row[: len(self.known)], fillvalue=""):
            found.setdefault(head, cell.strip())
        return found


def read_sheet(path: Path, platform: Platform) -> Sheet:
    """Read a gradebook that a platform exported. Raises InputError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"expected the gradebook that the platform exports: {error.strerror}", path=path
        ) from None
    encoding = "utf-8"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif content.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    try:
        text = content.decode(encoding)
        first = text.split("\n", 1)[0]
        separator = max("\t,;", key=first.count)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"expected a gradebook as the platform exports it: {explain_unreadable(error)}", path=path
        ) from None
    if len(rows) < 2:
        raise InputError("expected a gradebook with a head and students", path=path)
    line_end = "\r\n" if first.endswith("\r") else "\n"
    head = [head.strip() for head in rows[0]]
    known = platform.heads(head, rows[1:]) if platform.heads else head
    return Sheet(head, known, rows[1:], encoding, separator, line_end)


def rows_by_key(
    platform: Platform, sheet: Sheet, *, is_foreign: bool = False
) -> dict[tuple[str, str], set[int]]:
    """Return row numbers by what may identify a student: ("exact", …), ("id", …) and ("name", …).

    If ids are those of another platform (``is_foreign``), this platform's own numbers are ignored.
    """
    index: dict[tuple[str, str], set[int]] = defaultdict(set)
    for number, row in enumerate(sheet.rows):
        cells = sheet.cells(row)
        if next(iter(cells.values())) == "Points Possible":
            continue  # the row above the students, whatever else it contains
        for key in platform.keys:
            if cells.get(key) and not (is_foreign and key in platform.own_keys):
                text = _strip_sign(key, cells[key])
                index["exact", text].add(number)
                index["id", text.casefold()].add(number)
        name = platform.full_name(cells)
        if name:
            index["name", _normalise_name(name)].add(number)
    return index


def _strip_sign(key: str, cell: str) -> str:
    """Strip from an id the word that Moodle puts before it, or the sign that Brightspace does."""
    return re.sub(r"^\D+", "", cell) if key == "Identifier" else cell.removeprefix("#")


def lookup_keys(grade: Grade) -> list[tuple[str, str]]:
    """Return a student's keys for ``rows_by_key``, the most reliable first."""
    platform = PLATFORMS.get(grade.platform)
    is_numbered = bool(grade.id) and (platform is None or platform.numbers_gradebook)
    texts = (grade.id, grade.name) if grade.id else (grade.name, grade.user)
    ids = [key for text in texts for key in (("exact", text), ("id", text.casefold()))]
    return [*ids, *([("name", _normalise_name(grade.student))] if grade.student and not is_numbered else [])]


def _normalise_name(name: str) -> str:
    """Return a name as in Canvas's file names: "Lovelace, Ada" becomes "lovelaceada"."""
    return "".join(c for c in name.casefold() if c.isalnum())


def ids_changed_by_spreadsheet(platform: Platform, sheet: Sheet) -> list[str]:
    """Return ids that a spreadsheet seems to have rewritten as numbers: 1.01E+02, 107.0."""
    found = (sheet.cells(row).get(key, "") for row in sheet.rows for key in platform.keys)
    return [text for text in found if _SPREADSHEET_NUMBER.fullmatch(text)]


def student_name(platform: Platform, row: Row) -> str:
    """Return a name for a row's student; empty if the row is not about a student."""
    if not any(map(row.get, platform.keys)):
        return ""
    return visible(platform.full_name(row) or next(filter(None, map(row.get, platform.keys))), limit=80)


def join_some(names: Sequence[str]) -> str:
    """Join up to 20 names with semicolons, and say how many more there are."""
    return "; ".join(visible(name, limit=80) for name in names[:20]) + (
        f" and {len(names) - 20} more" if len(names) > 20 else ""
    )
