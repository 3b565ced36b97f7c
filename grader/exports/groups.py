"""Group work that one member submitted for all: the other members get the same mark.

A Canvas download contains a group's work once, under the name of the group and the number of one member. The
list of groups ("People", "Download Course Roster CSV") names the other members.
"""

from __future__ import annotations

import csv
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.grades_csv import explain_unreadable
from grader.platforms.base import Grade

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
