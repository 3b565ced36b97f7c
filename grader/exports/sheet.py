"""A platform's own gradebook as a table: how it was written, and whose its rows are."""

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

from grader.errors import InputError
from grader.exports.grades_csv import no_text
from grader.platforms.base import Grade, Platform, Row
from grader.text import visible


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table, and how it was written."""

    head: list[str]
    known: list[str]
    """The heads as the platform has them in English."""
    rows: list[list[str]]
    encoding: str
    separator: str
    line_end: str

    def cells(self, row: Sequence[str]) -> dict[str, str]:
        """The cells of a row by the head of the column, of two such columns the first; empty where the
        row is short."""
        found: dict[str, str] = {}
        for head, cell in zip_longest(self.known, row[: len(self.known)], fillvalue=""):
            found.setdefault(head, cell.strip())
        return found


def read_sheet(path: Path, platform: Platform) -> Sheet:
    """Read a gradebook as a platform exports it. Raises InputError."""
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
            f"expected a gradebook as the platform exports it: {no_text(error)}", path=path
        ) from None
    if len(rows) < 2:
        raise InputError("expected a gradebook with a head and students", path=path)
    line_end = "\r\n" if first.endswith("\r") else "\n"
    head = [head.strip() for head in rows[0]]
    known = platform.heads(head, rows[1:]) if platform.heads else head
    return Sheet(head, known, rows[1:], encoding, separator, line_end)


def rows_by_key(platform: Platform, sheet: Sheet) -> dict[tuple[str, str], set[int]]:
    """The rows by what may name a student: ("exact", …), ("id", …) and ("name", …)."""
    index: dict[tuple[str, str], set[int]] = defaultdict(set)
    for number, row in enumerate(sheet.rows):
        cells = sheet.cells(row)
        if next(iter(cells.values())) == "Points Possible":
            continue  # the row above the students, whatever else stands in it
        for key in platform.keys:
            if cells.get(key):
                text = _id(key, cells[key])
                index["exact", text].add(number)
                index["id", text.casefold()].add(number)
        name = platform.full_name(cells)
        if name:
            index["name", _squeezed(name)].add(number)
    return index


def _id(key: str, cell: str) -> str:
    """A number or name without the word that is put before a participant's number, in whatever language."""
    return re.sub(r"^\D+", "", cell) if key == "Identifier" else cell


def keys_of(grade: Grade) -> list[tuple[str, str]]:
    """What a student may be found by, the surest first."""
    texts = (grade.user, grade.name) if grade.id else (grade.user,)
    ids = [key for text in texts for key in (("exact", text), ("id", text.casefold()))]
    return [*ids, *([("name", _squeezed(grade.student))] if grade.student and not grade.id else [])]


def _squeezed(name: str) -> str:
    """A name as Canvas puts it into file names: "Lovelace, Ada" and "lovelaceada" are the same."""
    return "".join(c for c in name.casefold() if c.isalnum())


def name_in(platform: Platform, row: Row) -> str:
    """What to call the student of a row; empty for a row that is no student's."""
    if not any(map(row.get, platform.keys)):
        return ""
    return visible(platform.full_name(row) or next(filter(None, map(row.get, platform.keys))), limit=80)


def few(names: Sequence[str]) -> str:
    """Names one after the other, as many as a person reads."""
    return "; ".join(visible(name, limit=80) for name in names[:20]) + (
        f" and {len(names) - 20} more" if len(names) > 20 else ""
    )
