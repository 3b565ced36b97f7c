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

from grader.platforms.base import DownloadItem, Grade, Line, Platform, Row, by_name
from grader.platforms.moodle_worksheet import COMMENTS, FULL_NAME, GRADE, IDENTIFIER, WORTH, translate_heads

_NAME: Final = re.compile(
    r"(?P<who>.+)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<name>.*))?",
    re.DOTALL,
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


def _worth(_column: str, row: Row, _top: Sequence[Row]) -> str | None:
    return row.get(WORTH, row.get("Maximum grade"))


def _table(grades: Sequence[Grade], title: str) -> list[Line]:
    if not any(grade.id for grade in grades):
        return [["Username", title], *([grade.user, grade.score] for grade in grades)]
    head = [IDENTIFIER, FULL_NAME, GRADE, WORTH, "Last modified (grade)", COMMENTS]
    return [head, *([f"Participant {g.id}", g.student, g.score, g.max_score, "-", g.comment] for g in grades)]


def _page(grade: Grade) -> str:
    student = grade.student.replace("_", " ").replace("/", " ")
    return f"{student}_{grade.id}_assignsubmission_file_feedback.html"


PLATFORM: Final = Platform(
    reader=by_name(_read_item),
    folder=lambda piece: f"{piece.student}_{piece.id}",
    source=_source,
    keys=(IDENTIFIER, "ID number", "Username", "Email address"),
    own_keys=(IDENTIFIER,),
    full_name=lambda row: row.get(FULL_NAME, ""),
    column=None,
    worth=_worth,
    table=_table,
    heads=translate_heads,
    comments=COMMENTS,
    page=_page,
)
