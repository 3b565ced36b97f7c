"""Fill the scores into the gradebook that a platform exported, so that it can be imported again.

All other rows, columns and cells stay unchanged, and so do the encoding, the separator and the line endings.
A student is found by number or user name, and by full name only if the name is unique. Where it is not sure
whose a submission is, the cells of all who may be meant stay as they are, until a person says it in a table.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final, TypeVar

from grader.errors import InputError
from grader.exports.chosen_students import (
    Sheet,
    UnsureRow,
    chosen_rows,
    ids_changed_by_spreadsheet,
    join_some,
    lookup_keys,
    read_sheet,
    rows_by_key,
    student_name,
    table_of_candidates,
)
from grader.exports.grades_csv import (
    INSTITUTIONAL,
    check_platform,
    defuse_formula,
    explain_unreadable,
    format_points,
)
from grader.feedback.markdown import is_generated_comment
from grader.platforms.base import PLATFORMS, Grade, Platform, is_ambiguous, parse_points
from grader.points import round_points
from grader.text import visible

# --- groups -----------------------------------------------------------------------------------------
# Group work that one member submitted for all: the other members get the same mark.
#
# A Canvas download contains a group's work once, under the name of the group and the number of one member.
# The list of groups ("People", "Download Course Roster CSV") names the other members.

_COLUMNS: Final = ("name", "canvas_user_id", "group_name")
_LEAST_SIMILARITY: Final = 0.5


def add_group_members(grades: Sequence[Grade], path: Path) -> list[Grade]:
    """Add a copy of the grade for each group member who has no grade of their own. Raises InputError."""
    groups = _read(path)
    has_one = {grade.id for grade in grades}
    found = list(grades)
    for grade in grades:
        members = next((group for group in groups if any(id_ == grade.id for id_, _ in group)), [])
        for id_, name in members:
            if id_ not in has_one:
                has_one.add(id_)
                found.append(replace(grade, id=id_, student=name))
    return found


def _read(path: Path) -> list[list[tuple[str, str]]]:
    """Read the groups: for each, the number and name of every member."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if not set(_COLUMNS) <= set(reader.fieldnames or ()):
                message = f"expected the columns {', '.join(_COLUMNS)}, as Canvas exports groups"
                raise InputError(message, path=path)
            for row in reader:
                if row["group_name"] and row["canvas_user_id"]:
                    groups[row["group_name"]].append((row["canvas_user_id"].strip(), row["name"] or ""))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"expected a list of groups of Canvas: {explain_unreadable(error)}", path=path
        ) from None
    return list(groups.values())


def is_group_work(grade: Grade, name: str) -> bool:
    """Return whether the name on the work differs from the student's, as for group work."""
    came, called = _letters(grade.student), _letters(name)
    return bool(came and called) and SequenceMatcher(None, came, called).ratio() < _LEAST_SIMILARITY


def _letters(name: str) -> str:
    """Return the ASCII letters of a name in lower case, so that accents do not matter."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(character for character in plain if character.isascii() and character.isalpha())


Cell = TypeVar("Cell", str, "str | float | None")
_TOP: Final = 3
"""How many rows at the top may say what assignments are worth."""


@dataclass(frozen=True, slots=True)
class FilledGradebook:
    """A gradebook with the scores filled in, and a report of what could not be filled in."""

    content: bytes
    written: int
    problems: tuple[str, ...]
    changes: tuple[str, ...] = ()
    """Cells that held another score: the student, the old score and the new one."""
    open: bytes = b""
    """The table in which a person says whose the submissions are of which that is not sure; empty without
    any."""


def explain_missing_score(grade: Grade) -> str:
    """Return why a submission has no score to write."""
    if grade.status == "refused":
        return f"{grade.name}: refused, so without a score (--refused zero makes it 0)"
    if grade.status == "exempt":
        return f"{grade.name}: exempt"
    return f"{grade.name}: no score, since {_UNGRADED.get(grade.status, 'it could not be graded')}"


_UNGRADED: Final = {
    "undecided": "it is not decided what counts (grader choose says it)",
    "waiting": "it is not graded yet (grader batch does it)",
}
"""Why there is no score, by the status of the submission."""


def fill_gradebook(
    name: str,
    gradebook: Path,
    grades: Sequence[Grade],
    assignment: str | None = None,
    students: Path | None = None,
    *,
    over: bool = False,
) -> FilledGradebook:
    """Fill in the scores, but of what is open; a person's word in a cell, such as EX, stays unless ``over``.

    ``students`` is a table that says whose some of the submissions are, if it is there. Raises InputError if
    this is no such gradebook or table.
    """
    check_platform(name, grades, gradebook)
    platform = PLATFORMS[name]
    sheet = read_sheet(gradebook, platform)
    if not any(key in sheet.known for key in platform.keys):
        raise InputError(
            f"expected a gradebook of {name.title()} with a column {' or '.join(platform.keys)}, "
            f"got {', '.join(sheet.head[:8])}",
            path=gradebook,
        )
    column = _find_column(platform, sheet, assignment, gradebook)
    scored = [grade for grade in grades if grade.score is not None]
    problems = [f"{explain_missing_score(grade)}; left as it was" for grade in grades if grade.score is None]
    chosen = chosen_rows(students, platform, sheet, {grade.name for grade in scored})
    found, candidates, strangers = _match_rows(platform, sheet, scored, chosen)
    matched = {number: grade for number, grade in found.items() if not grade.open}
    problems += [f"{grade.name}: not in the gradebook" for grade in strangers]
    problems += _report_candidates(candidates, students)
    spoilt = ids_changed_by_spreadsheet(platform, sheet)
    if spoilt:
        problems.append(
            f"ids that a spreadsheet has changed, in which students are not found: {join_some(spoilt)}; "
            "export the gradebook again, and do not save it from there"
        )
    scores, unscaled = _scores(platform, sheet, column, matched, gradebook)
    if unscaled:
        problems.append(
            f"{column}: the gradebook does not say what it is worth, so not scaled: {join_some(unscaled)}"
        )
    place, changes = sheet.known.index(column), []
    words = {} if over else _words(sheet, place, matched)
    if words:
        problems.append(
            f"with a word of a person, which stays (--over writes over it): {'; '.join(words.values())}"
        )
    matched = {number: grade for number, grade in matched.items() if number not in words}
    for number, grade in matched.items():
        row, score = sheet.rows[number], scores[number]
        held = row[place].strip()
        if not (held in ("", "-") or held == score or parse_points(held) == parse_points(score)):
            changes.append(f"{grade.name}: {visible(row[place], limit=40)} -> {score}")
        row[place] = score
    if any(grade.unmarked for grade in matched.values()):
        open_points = {number: format_points(grade.unmarked or None) for number, grade in matched.items()}
        column_of = [open_points.get(number, "") for number in range(len(sheet.rows))]
        add_column([sheet.head, *sheet.rows], [OPEN_POINTS, *column_of])
    problems += _write_comments(platform, sheet, matched) + _report_groups(platform, sheet, matched)
    others = (sheet.cells(row) for number, row in enumerate(sheet.rows) if number not in found)
    names = list(filter(None, (student_name(platform, row) for row in others)))
    problems += [f"in the gradebook without a score from here: {join_some(names)}"] if names else []
    still_open = table_of_candidates(candidates, chosen, platform, sheet) if candidates else b""
    return FilledGradebook(
        _encode(platform, sheet), len(matched), tuple(problems), tuple(changes), still_open
    )


OPEN_POINTS: Final = "points not marked yet"
"""The head of a column of its own, where marks are written that wait for persons."""
_LAST: Final = "End-of-Line Indicator"
"""Brightspace's column of this name has to be the last."""


def add_column(table: Sequence[list[Cell]], column: Sequence[Cell]) -> None:
    """Put a column behind all others of a table, but for one that has to be the last."""
    width = len(table[0])
    place = width - 1 if table[0][-1:] == [_LAST] else width
    for line, cell in zip(table, column, strict=True):
        line.extend([""] * (width - len(line)))
        line.insert(place, cell)


def _scores(
    platform: Platform, sheet: Sheet, column: str, matched: Mapping[int, Grade], path: Path
) -> tuple[dict[int, str], list[str]]:
    """Return the scores to write by row, and who has one that is not scaled. Raises InputError."""
    scores, unscaled, top = dict[int, str](), [], [sheet.cells(row) for row in sheet.rows[:_TOP]]
    for number, grade in matched.items():
        row = sheet.rows[number]
        worth = platform.worth(column, sheet.cells(row), top)
        if worth is None:
            unscaled.append(grade.name)
        if grade.score is None or not grade.max_score:
            raise InputError(f"{grade.name} has no score", path=path)
        share = 1.0 if worth is None else _parse_worth(worth, column, path) / grade.max_score
        scores[number] = format_points(round_points(grade.score * share))
        row.extend([""] * (len(sheet.head) - len(row)))
    return scores, unscaled


def _words(sheet: Sheet, place: int, matched: Mapping[int, Grade]) -> dict[int, str]:
    """Return whose cells hold a person's word, with it: what is neither nothing nor points."""
    held = {number: sheet.rows[number][place].strip() for number in matched}
    return {
        number: f"{visible(matched[number].name)} ({visible(text, limit=40)})"
        for number, text in held.items()
        if text not in ("", "-") and parse_points(text) is None and not is_ambiguous(text)
    }


def _report_candidates(candidates: Sequence[UnsureRow], students: Path | None) -> list[str]:
    """Return a message that names the submissions of which it is not sure whose they are."""
    names = sorted({name for each in candidates for name in each.names})
    if not names:
        return []
    how = (
        f"in the column submission of {students}" if students else "in a file that --students FILE.csv writes"
    )
    return [f"not sure whose, so left as it was until you say it {how}: {join_some(names)}"]


def _write_comments(platform: Platform, sheet: Sheet, matched: Mapping[int, Grade]) -> list[str]:
    """Write the comments for the students, but never over a comment that a person wrote.

    Return a message that names the students whose comments were kept.
    """
    if not platform.comments or platform.comments not in sheet.known:
        return []
    place, kept = sheet.known.index(platform.comments), []
    for number, grade in matched.items():
        row = sheet.rows[number]
        if grade.comment and row[place].strip() and not is_generated_comment(row[place]):
            kept.append(visible(grade.name))
        elif grade.comment:
            row[place] = grade.comment
    return [f"with a comment of a person, which stays: {join_some(kept)}"] if kept else []


def _report_groups(platform: Platform, sheet: Sheet, matched: Mapping[int, Grade]) -> list[str]:
    """Report work submitted under another name than the gradebook's: it may be the work of a group."""
    names = {number: platform.full_name(sheet.cells(sheet.rows[number])) for number in matched}
    found = [
        f"{visible(grade.name)} ({visible(names[number], limit=80)})"
        for number, grade in matched.items()
        if platform.names_groups and is_group_work(grade, names[number])
    ]
    message = (
        f"under another name, as the work of a group, whose other members --groups finds: {join_some(found)}"
    )
    return [message] if found else []


# --- the file -----------------------------------------------------------------------------------


def _encode(platform: Platform, sheet: Sheet) -> bytes:
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
        writer.writerow([cell if n in keys else defuse_formula(cell) for n, cell in enumerate(row)])
    return text.getvalue().encode(sheet.encoding)


# --- the column ---------------------------------------------------------------------------------


def _find_column(platform: Platform, sheet: Sheet, assignment: str | None, path: Path) -> str:
    """Return the head of the score column. Raises InputError if it is not clear which one that is."""
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


def _parse_worth(worth: str, column: str, path: Path) -> float:
    """Parse the points that an assignment is worth. Raises InputError unless they are clear and above 0."""
    number = parse_points(worth)
    if number is not None and number > 0:
        return number
    got = f"{visible(worth, limit=40)!r}" if worth else "nothing"
    if is_ambiguous(worth):
        got += ", which may be a thousand or more, or a number with three decimals"
    raise InputError(
        f"expected what the column {visible(column, limit=80)} is worth, a number of points above 0 "
        f"such as 1000 or 12.5, got {got}: "
        "see to it at the platform and export again, or write it so into the gradebook",
        path=path,
    )


# --- the students -------------------------------------------------------------------------------


def _match_rows(
    platform: Platform, sheet: Sheet, grades: Sequence[Grade], chosen: Mapping[int, str]
) -> tuple[dict[int, Grade], list[UnsureRow], list[Grade]]:
    """Return the grades by row number, the rows that are not sure, and the grades that match none.

    It is not sure whose a grade is that matches several rows, or the row of another grade.
    """
    is_foreign = any(grade.platform in INSTITUTIONAL for grade in grades)
    index = rows_by_key(platform, sheet, is_foreign=is_foreign)
    left = list(grades)
    matched: dict[int, Grade] = {}
    for row, name in chosen.items():
        matched[row] = next(grade for grade in left if grade.name == name)
        left.remove(matched[row])
    strangers: list[Grade] = []
    may_be: dict[int, list[tuple[Grade, bool]]] = defaultdict(list)
    for grade in left:
        rows = next((index[key] for key in lookup_keys(grade) if index.get(key)), set())
        for row in rows - matched.keys():
            may_be[row].append((grade, len(rows) == 1))
        if rows <= matched.keys():
            strangers.append(grade)
    sure = {row: theirs[0][0] for row, theirs in may_be.items() if len(theirs) == 1 and theirs[0][1]}
    candidates = [
        UnsureRow(row, tuple(grade.name for grade, _ in theirs))
        for row, theirs in may_be.items()
        if row not in sure
    ]
    return matched | sure, candidates, strangers
