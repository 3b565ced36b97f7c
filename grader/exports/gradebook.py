"""A platform's own exported gradebook with the scores filled in, ready to be imported again.

Every row, column and cell that is not a score of ours stays what it was; encoding, separator and
line ends too. A student is found by number or user name, and by full name only where nobody else
could be meant; where two could be, nothing is written at all.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.csv_cells import defused, points
from grader.exports.grades_csv import check_platform
from grader.exports.groups import is_of_a_group
from grader.exports.sheet import Sheet, few, keys_of, name_in, read_sheet, rows_by_key
from grader.feedback.gradebook_comment import is_generated_comment
from grader.platforms.base import Grade, Platform
from grader.platforms.points import is_either, number_in
from grader.platforms.registry import PLATFORMS
from grader.text import visible

_TOP: Final = 3
"""At most 3 rows above the students say what assignments are worth."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A gradebook with scores, and what could not be done."""

    content: bytes
    written: int
    problems: tuple[str, ...]
    changes: tuple[str, ...] = ()
    """Cells that held another score: whose, and the old and the new one."""


def no_score(grade: Grade) -> str:
    """Why a submission has no score to write."""
    if grade.status == "refused":
        return f"{grade.name}: refused, so without a score (--refused zero makes it 0)"
    if grade.status == "exempt":
        return f"{grade.name}: exempt"
    return f"{grade.name}: no score, since it could not be graded"


def fill(name: str, gradebook: Path, grades: Sequence[Grade], assignment: str | None = None) -> Filled:
    """Fill the scores in. Raises InputError where a match is ambiguous or the file is another one."""
    check_platform(name, grades, gradebook)
    platform = PLATFORMS[name]
    sheet = read_sheet(gradebook, platform)
    if not any(key in sheet.known for key in platform.keys):
        raise InputError(
            f"expected a gradebook of {name.title()} with a column {' or '.join(platform.keys)}, "
            f"got {', '.join(sheet.head[:8])}",
            path=gradebook,
        )
    column = _column(platform, sheet, assignment, gradebook)
    matched, problems = _match(platform, sheet, grades, gradebook)
    changes, unscaled, top = [], [], [sheet.cells(row) for row in sheet.rows[:_TOP]]
    for number, grade in matched.items():
        row = sheet.rows[number]
        worth = platform.worth(column, sheet.cells(row), top)
        if worth is None:
            unscaled.append(grade.name)
        score = _scaled(grade, worth, column, gradebook)
        row.extend([""] * (len(sheet.head) - len(row)))
        place = sheet.known.index(column)
        if not _is_same(row[place], score):
            changes.append(f"{grade.name}: {visible(row[place], limit=40)} -> {score}")
        row[place] = score
    if unscaled:
        problems.append(
            f"{column}: the gradebook does not say what it is worth, so not scaled: {few(unscaled)}"
        )
    problems += _comments(platform, sheet, matched) + _groups(platform, sheet, matched)
    problems += _without_work(platform, sheet, matched)
    return Filled(_written(platform, sheet), len(matched), tuple(problems), tuple(changes))


def _is_same(cell: str, score: str) -> bool:
    """Whether a cell is empty, or holds this score already."""
    held = cell.strip()
    return held in ("", "-") or held == score or number_in(held) == number_in(score)


def _comments(platform: Platform, sheet: Sheet, matched: Mapping[int, Grade]) -> list[str]:
    """Write the words to the students, over none that a person wrote; return where they stand."""
    if not platform.comments or platform.comments not in sheet.known:
        return []
    place, kept = sheet.known.index(platform.comments), []
    for number, grade in matched.items():
        row = sheet.rows[number]
        if grade.comment and row[place].strip() and not is_generated_comment(row[place]):
            kept.append(visible(grade.name))
        elif grade.comment:
            row[place] = grade.comment
    return [f"with a comment of a person, which stays: {few(kept)}"] if kept else []


def _groups(platform: Platform, sheet: Sheet, matched: Mapping[int, Grade]) -> list[str]:
    """Whose work came under another name than the gradebook has, so that others may have a share in it."""
    names = {number: platform.full_name(sheet.cells(sheet.rows[number])) for number in matched}
    found = [
        f"{visible(grade.name)} ({visible(names[number], limit=80)})"
        for number, grade in matched.items()
        if platform.names_groups and is_of_a_group(grade, names[number])
    ]
    told = f"under another name, as the work of a group, whose other members --groups finds: {few(found)}"
    return [told] if found else []


def _without_work(platform: Platform, sheet: Sheet, matched: Mapping[int, Grade]) -> list[str]:
    """The students of the gradebook of whom no score was written, for a person to see."""
    others = (sheet.cells(row) for number, row in enumerate(sheet.rows) if number not in matched)
    names = list(filter(None, (name_in(platform, row) for row in others)))
    return [f"in the gradebook without a score from here: {few(names)}"] if names else []


# --- the file -----------------------------------------------------------------------------------


def _written(platform: Platform, sheet: Sheet) -> bytes:
    text = io.StringIO()
    writer = csv.writer(
        text,
        delimiter=sheet.separator,
        lineterminator=sheet.line_end,
        quoting=csv.QUOTE_ALL if sheet.separator == "\t" else csv.QUOTE_MINIMAL,
    )
    writer.writerow(sheet.head)
    keys = {sheet.known.index(key) for key in platform.keys if key in sheet.known}
    for row in sheet.rows:
        writer.writerow([cell if n in keys else defused(cell) for n, cell in enumerate(row)])
    return text.getvalue().encode(sheet.encoding)


# --- the column ---------------------------------------------------------------------------------


def _column(platform: Platform, sheet: Sheet, assignment: str | None, path: Path) -> str:
    """The column that takes the scores."""
    if platform.column is None:
        if "Grade" not in sheet.known:
            raise InputError("expected a column Grade: export the grading worksheet", path=path)
        return "Grade"
    named = [(head, found) for head in sheet.head if (found := platform.column.fullmatch(head))]
    if assignment is not None:
        named = [(h, found) for h, found in named if assignment in (h, found["title"], found["number"])]
    if len(named) != 1:
        heads = ", ".join(head for head, _ in named) or "none"
        wanted = f"the assignment {assignment!r}" if assignment else "one assignment"
        raise InputError(f"expected {wanted}, found {heads}: name it with --assignment", path=path)
    return named[0][0]


def _scaled(grade: Grade, worth: str | None, column: str, path: Path) -> str:
    """The score in points of the gradebook; as it is where that says none. Raises InputError."""
    if grade.score is None or not grade.max_score:
        raise InputError(f"{grade.name} has no score", path=path)
    share = 1.0 if worth is None else _possible(worth, column, path) / grade.max_score
    return points(round(grade.score * share, 2))


def _possible(worth: str, column: str, path: Path) -> float:
    """The points that an assignment is worth. Raises InputError for what is none, or may be two numbers."""
    number = number_in(worth)
    if number is not None and number > 0:
        return number
    got = f"{visible(worth, limit=40)!r}" if worth else "nothing"
    if is_either(worth):
        got += ", which may be a thousand or more, or a number with three decimals"
    raise InputError(
        f"expected what the column {visible(column, limit=80)} is worth, a number of points above 0 "
        f"such as 1000 or 12.5, got {got}: "
        "see to it at the platform and export again, or write it so into the gradebook",
        path=path,
    )


# --- the students -------------------------------------------------------------------------------


def _match(
    platform: Platform, sheet: Sheet, grades: Sequence[Grade], path: Path
) -> tuple[dict[int, Grade], list[str]]:
    """The grades by the number of their row, and what is without a row or a score."""
    index = rows_by_key(platform, sheet)
    matched: dict[int, Grade] = {}
    problems = []
    for grade in grades:
        if grade.score is None:
            problems.append(f"{no_score(grade)}; left as it was")
            continue
        rows = next((index[key] for key in keys_of(grade) if index.get(key)), set())
        if len(rows) > 1:
            raise InputError(f"{grade.name} may be any of {len(rows)} students: {grade.student}", path=path)
        if not rows:
            problems.append(f"{grade.name}: not in the gradebook")
            continue
        (number,) = rows
        if number in matched:
            raise InputError(
                f"{matched[number].name} and {grade.name} are the same student in the gradebook",
                path=path,
            )
        matched[number] = grade
    return matched, problems
