"""Tables that a person fills in: whose a submission is, what to do without work, and marks on a sheet.

Each line is a student of the gradebook who may be meant. The column ``submission`` is empty until somebody
fills it in; the others show who it is, and must be those of the gradebook that is filled.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.grades_csv import INSTITUTIONAL, encode_csv, explain_unreadable, undo_defusing
from grader.platforms.base import PLATFORMS, Grade, Platform, Row
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
                # without the word that Moodle puts before an id, or the sign that Brightspace does
                is_worded = key == "Identifier"
                text = re.sub(r"^\D+", "", cells[key]) if is_worded else cells[key].removeprefix("#")
                index["exact", text].add(number)
                index["id", text.casefold()].add(number)
        name = platform.full_name(cells)
        if name:
            index["name", _normalise_name(name)].add(number)
    return index


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


_HEAD: Final = ("submission", "may be", "line", "student")


@dataclass(frozen=True, slots=True)
class UnsureRow:
    """A row of a gradebook, by its number from 0, and the submissions that may be its student's."""

    row: int
    names: tuple[str, ...]


def chosen_rows(
    path: Path | None, platform: Platform, sheet: Sheet, known: Collection[str]
) -> dict[int, str]:
    """Return whose submissions the table says the rows are, by their numbers; nothing if it is not there yet.

    Raises InputError where a submission is none of these, or is there twice, or a row is another student's.
    """
    if path is None or not path.exists():
        return {}
    try:
        reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""))
        lines = [
            {key: undo_defusing(cell or "").strip() for key, cell in line.items() if key} for line in reader
        ]
    except (OSError, UnicodeDecodeError, csv.Error, AttributeError) as error:
        raise InputError(f"expected a table of students: {explain_unreadable(error)}", path=path) from None
    if not set(_HEAD) <= set(reader.fieldnames or ()):
        raise InputError(
            f"expected the columns {', '.join(_HEAD)}: name a new file, and it is written", path=path
        )
    found: dict[int, str] = {}
    for number, line in enumerate(lines, 2):
        if name := line["submission"]:
            row = _row_of(line, platform, sheet)
            if row is None or row in found:
                raise InputError(
                    f"expected a student of the gradebook, once, got {visible(line['student'])} in line "
                    f"{visible(line['line'])}: delete this file to have it written anew",
                    path=path,
                    line=number,
                )
            if name not in known or name in found.values():
                raise InputError(
                    f"expected a submission that has a score, once, got {visible(name)}",
                    path=path,
                    line=number,
                )
            found[row] = name
    return found


def _row_of(line: Mapping[str, str], platform: Platform, sheet: Sheet) -> int | None:
    """Return the number of the row that a line is about; None if somebody else stands there."""
    row = int(line["line"]) - 2 if line["line"].isascii() and line["line"].isdecimal() else -1
    if not 0 <= row < len(sheet.rows):
        return None
    told = _identity(platform, sheet, row)
    return row if [line["student"], *(line.get(key, "") for key in _keys(platform, sheet))] == told else None


def table_of_candidates(
    candidates: Sequence[UnsureRow], chosen: Mapping[int, str], platform: Platform, sheet: Sheet
) -> bytes:
    """Return the table, with what was chosen before."""
    rows = {each.row: each.names for each in candidates} | {row: (name,) for row, name in chosen.items()}
    lines = [
        [chosen.get(row, ""), "; ".join(names), f"{row + 2}", *_identity(platform, sheet, row)]
        for row, names in sorted(rows.items())
    ]
    return encode_csv([[*_HEAD, *_keys(platform, sheet)], *lines])


def _keys(platform: Platform, sheet: Sheet) -> list[str]:
    return [key for key in platform.keys if key in sheet.known]


def _identity(platform: Platform, sheet: Sheet, row: int) -> list[str]:
    """Return a student's name, and what else tells the student from others."""
    cells = sheet.cells(sheet.rows[row])
    return [platform.full_name(cells), *(cells[key] for key in _keys(platform, sheet))]


WITHOUT_WORK: Final = ".without-work.json"


@dataclass(frozen=True, slots=True)
class Roster:
    """The students that a gradebook lists."""

    names: Mapping[str, str]
    """Names as in the gradebook, by submission."""
    without_work: tuple[str, ...]
    """Names of students without a submission."""


def read_roster(platform: str, gradebook: Path, grades: Sequence[Grade]) -> Roster:
    """Match the students in a gradebook with the submissions. Raises InputError.

    Submissions from a plain folder, with an empty ``platform``, match the gradebook of any platform.
    """
    is_foreign = platform in INSTITUTIONAL
    known, sheet = max(
        ((PLATFORMS[name], read_sheet(gradebook, PLATFORMS[name])) for name in _books(platform)),
        key=lambda pair: _count_keys(*pair),
    )
    if not _count_keys(known, sheet):
        source = f"of {platform.title()}" if platform else "of a platform"
        raise InputError(
            f"expected a gradebook {source}, with a column that numbers students", path=gradebook
        )
    index = rows_by_key(known, sheet, is_foreign=is_foreign)
    cells = [sheet.cells(row) for row in sheet.rows]
    rows = {grade.submission: _rows_of(grade, index) for grade in grades}
    names = {name: student_name(known, cells[min(found)]) for name, found in rows.items() if len(found) == 1}
    all_found = set[int]().union(*rows.values())
    others = (student_name(known, row) for number, row in enumerate(cells) if number not in all_found)
    return Roster({name: who for name, who in names.items() if who}, tuple(filter(None, others)))


def _rows_of(grade: Grade, index: Mapping[tuple[str, str], set[int]]) -> set[int]:
    """Return the rows of all who took part in a submission."""
    found: set[int] = set()
    for student in grade.for_members():
        found |= next((index[key] for key in lookup_keys(student) if index.get(key)), set())
    return found


def find_students_without_work(platform: str, gradebook: Path, grades: Sequence[Grade]) -> list[str]:
    """Return the names of students in a gradebook who have no submission. Raises InputError."""
    return [*read_roster(platform, gradebook, grades).without_work]


def _books(platform: str) -> Sequence[str]:
    """Return the platforms whose gradebooks identify students as a download does."""
    return (platform,) if platform and platform not in INSTITUTIONAL else tuple(PLATFORMS)


def _count_keys(platform: Platform, sheet: Sheet) -> int:
    return sum(key in sheet.known for key in platform.keys)


def load_students_without_work(out: Path) -> list[str]:
    """Return who had submitted nothing when the class was graded; empty without a gradebook."""
    try:
        return [str(name) for name in json.loads((out / WITHOUT_WORK).read_bytes())]
    except (OSError, ValueError, TypeError):
        return []
