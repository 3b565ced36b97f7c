"""Moodle.

A download contains ``Full Name_participantid_assignsubmission_file_/`` (or ``…_file/``) or, without folders,
``Full Name_participantid_assignsubmission_file_lab.zip``. A grading worksheet has the columns Identifier,
Grade and Last modified (grade); "-" in the last one means that nothing was graded before, so that Moodle
keeps a newer grade. A table without participants' numbers is for "Import, CSV file" in the gradebook.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.platforms.base import DownloadItem, Grade, Line, Platform, by_name, parse_points

# --- moodle worksheet -------------------------------------------------------------------------------
# The columns of a Moodle grading worksheet, recognised in any language.
#
# The heads are in the language of the user who exports it, but the order of the columns is always the same.
# The first one numbers the participants ("Participant 55", "Deltaker 55", "Teilnehmer/in55"); then come
# columns about the student and the submission, the grade, the maximum grade, and dates; the comments, if any,
# come last, after the date of the grade.


IDENTIFIER, FULL_NAME, GRADE, WORTH = "Identifier", "Full name", "Grade", "Maximum Grade"
COMMENTS: Final = "Feedback comments"
_PARTICIPANT: Final = re.compile(r"(?P<word>\D+)\d+")
_DATE: Final = re.compile(r"-|.*\d{4}.*", re.DOTALL)
"""A date contains a four-digit year, or is a dash if nothing has been graded."""


def translate_heads(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Translate the heads of columns that can be identified by their content to English.

    All stay unchanged if this is not a worksheet, or if some are in English already.
    """
    found = list(head)
    filled = [_pad_row(row, len(found)) for row in rows if any(row)] if found else []
    words = {match["word"] if match else "" for match in (_PARTICIPANT.fullmatch(row[0]) for row in filled)}
    if {IDENTIFIER, GRADE} & {*found} or not filled or "" in words or len(words) > 1:
        return found
    columns = list(zip(*filled, strict=True))
    places = [place for place in range(2, len(found)) if _is_worth(columns[place], columns[place - 1])]
    if len(places) != 1:
        return found
    (worth,) = places
    found[0], found[worth - 1], found[worth] = IDENTIFIER, GRADE, WORTH
    if worth > 3:  # else the names are hidden, and the status comes second
        found[1] = FULL_NAME
    if len(found) > worth + 2 and _are_dates(columns[-2]) and not _are_dates(columns[-1]):
        found[-1] = COMMENTS
    return found


def _pad_row(row: Sequence[str], count: int) -> list[str]:
    """Pad or cut a row to exactly ``count`` cells: files may omit empty cells at its end."""
    return [cell.strip() for cell in row[:count]] + [""] * (count - len(row))


def _is_worth(column: Sequence[str], before: Sequence[str]) -> bool:
    """Return whether a column is the maximum grade: the same number in all rows, after a column of grades."""
    values = {parse_points(cell) for cell in column}
    most = values.pop()
    if values or most is None or most <= 0:
        return False
    return all(
        not cell or ((grade := parse_points(cell)) is not None and 0 <= grade <= most) for cell in before
    )


def _are_dates(column: Sequence[str]) -> bool:
    return all(_DATE.fullmatch(cell) for cell in column)


_NAME: Final = re.compile(
    r"(?P<who>.+)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<name>.*))?", re.DOTALL
)


def _read_item(path: Path) -> DownloadItem | None:
    found = _NAME.fullmatch(path.name)
    if found is None:
        return None
    typed = found["kind"] == "onlinetext"
    return DownloadItem(
        path, found["who"], found["id"], "" if typed or path.is_dir() else found["name"] or ""
    )


def _source(path: Path) -> str:
    """Return the student's folder name, or the file name in a download without folders."""
    folder = path.parent.name
    return folder if "_assignsubmission_" in folder else path.name


def _table(grades: Sequence[Grade], title: str) -> list[Line]:
    if not any(grade.id for grade in grades):
        return [["Username", title], *([grade.user, grade.score] for grade in grades)]
    head = [IDENTIFIER, FULL_NAME, GRADE, WORTH, "Last modified (grade)", COMMENTS]
    return [head, *([f"Participant {g.id}", g.student, g.score, g.max_score, "-", g.comment] for g in grades)]


PLATFORM: Final = Platform(
    reader=by_name(_read_item),
    folder=lambda piece: f"{piece.student}_{piece.id}",
    source=_source,
    keys=(IDENTIFIER, "ID number", "Username", "Email address"),
    own_keys=(IDENTIFIER,),
    full_name=lambda row: row.get(FULL_NAME, ""),
    column=None,
    worth=lambda _column, row, _top: row.get(WORTH, row.get("Maximum grade")),
    table=_table,
    heads=translate_heads,
    comments=COMMENTS,
    page=lambda grade: (
        re.sub("[_/]", " ", grade.student) + f"_{grade.id}_assignsubmission_file_feedback.html"
    ),
)
