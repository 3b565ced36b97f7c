"""A table in which a person says whose each submission is, where a gradebook leaves that open.

Each line is a student of the gradebook who may be meant. The column ``submission`` is empty until somebody
fills it in; the others show who it is, and must be those of the gradebook that is filled.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.csv_cells import encode_csv, undo_defusing
from grader.exports.grades_csv import explain_unreadable
from grader.exports.sheet import Sheet
from grader.platforms.base import Platform
from grader.text import visible

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
