"""Microsoft Teams.

The library *Student Work* of a class has ``Submitted files/Full Name/Assignment/Version 2/`` for every
attempt, and ``Working files`` with drafts. There are no numbers and no times. Teams exports a table of grades
with the columns First Name, Last Name and Email Address and, for each assignment, its name, Points and
Feedback, but imports none: scores have to be copied from the filled table by hand.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.platforms.base import (
    DownloadItem,
    Platform,
    ReadText,
    by_name,
    first_and_last_name,
    table_to_copy_from,
)
from grader.text import is_left_by_system

_VERSION: Final = re.compile(r"(?:Version|Versjon|Versión|Versione|Versie|Wersja) (?P<number>\d{1,6})")

_NOTHING: Final = "-"
"""Stands for the assignment in an empty student's folder."""


def _find(paths: Sequence[Path], _read: ReadText) -> list[Path]:
    """Return the attempts of all students, given students' folders or the folder *Submitted files*."""
    submitted = [path for path in paths if any(map(_attempts, _folders(path)))]
    students = [student for path in submitted for student in _folders(path)]
    if not students:
        return [attempt for path in paths for attempt in _attempts(path)]
    return [attempt for student in students for attempt in _attempts(student) or _without_versions(student)]


def _without_versions(student: Path) -> list[Path]:
    """Return the assignments of a student without versions; if there are none, a path that does not exist."""
    return _folders(student) or [student / _NOTHING]


def _attempts(student: Path) -> list[Path]:
    """Return the attempts in a student's folder; none if it has another form."""
    found = {
        each: [inside for inside in _children(each) if _is_version(inside)] for each in _folders(student)
    }
    if not any(found.values()):
        return []
    loose = [each for each, versions in found.items() if len(versions) < len(_children(each))]
    return [*(version for versions in found.values() for version in versions), *loose]


def _is_version(path: Path) -> bool:
    return bool(_VERSION.fullmatch(path.name)) and _is_folder(path)


def _folders(path: Path) -> list[Path]:
    return [each for each in _children(path) if _is_folder(each)]


def _is_folder(path: Path) -> bool:
    """Tell whether this is a folder, and no link to one; False if it cannot be looked at."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _children(path: Path) -> list[Path]:
    """List a folder without files that systems leave behind; empty if it cannot be read."""
    try:
        inside = sorted(path.iterdir()) if _is_folder(path) else []
    except OSError:
        return []
    return [each for each in inside if not each.name.startswith(".") and not is_left_by_system(each.name)]


def _read_item(path: Path) -> DownloadItem:
    found = _VERSION.fullmatch(path.name)
    assignment = path.parent if found else path
    return DownloadItem(
        path,
        assignment.parent.name,
        "",
        "",
        attempt=found["number"].zfill(6) if found else "",
        is_ordered=found is not None,
        assignment=assignment.name,
    )


def _source(path: Path) -> str:
    """Return student, assignment and version from a path in an attempt's folder."""
    folders = (*reversed(path.parents), path)
    place = next((at for at, each in enumerate(folders) if _VERSION.fullmatch(each.name)), None)
    return "/".join(each.name for each in folders[place - 2 : place + 1]) if place else path.name


_OF_ASSIGNMENT: Final = ("Points", "Feedback")


def _heads(head: Sequence[str], _rows: Sequence[Sequence[str]]) -> list[str]:
    """Name the columns Points and Feedback, which each assignment has, after the assignment before them."""
    found, assignment = list[str](), ""
    for name in head:
        assignment = assignment if name in _OF_ASSIGNMENT else name
        found.append(f"{name} of {assignment}" if name in _OF_ASSIGNMENT else name)
    return found


PLATFORM: Final = Platform(
    reader=by_name(_read_item),
    folder=lambda item: item.student,
    source=_source,
    keys=("Email Address",),
    full_name=first_and_last_name,
    column=re.compile(
        r"(?P<title>(?!(?:Last Name|First Name|Email Address|Points|Feedback)$).+)(?P<number>)", re.DOTALL
    ),
    worth=lambda column, row, _top: row.get(f"Points of {column}"),
    table=table_to_copy_from,
    find=_find,
    heads=_heads,
    numbers_gradebook=False,
)
