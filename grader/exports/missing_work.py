"""The students in a platform's gradebook: their names, and who submitted nothing, stored with the results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.grades_csv import INSTITUTIONAL
from grader.exports.sheet import Sheet, lookup_keys, read_sheet, rows_by_key, student_name
from grader.platforms.base import Grade, Platform
from grader.platforms.registry import PLATFORMS

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
