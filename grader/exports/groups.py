"""Groups of which one member handed in for all: the others get the same mark.

Canvas hands out a group's work once, under the group's name with the number of one member. Who the others are
stands in its list of groups ("People", "Download Course Roster CSV").
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
from grader.exports.grades_csv import no_text
from grader.platforms.base import Grade

_COLUMNS: Final = ("name", "canvas_user_id", "group_name")
_ALIKE: Final = 0.5


def with_members(grades: Sequence[Grade], path: Path) -> list[Grade]:
    """The grades, and those of a group for each member who has none of their own. Raises InputError."""
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
    """Number and name of the members, group by group."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if not set(_COLUMNS) <= set(reader.fieldnames or ()):
                told = f"expected the columns {', '.join(_COLUMNS)}, as Canvas exports groups"
                raise InputError(told, path=path)
            for row in reader:
                if row["group_name"] and row["canvas_user_id"]:
                    groups[row["group_name"]].append((row["canvas_user_id"].strip(), row["name"] or ""))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"expected a list of groups of Canvas: {no_text(error)}", path=path) from None
    return list(groups.values())


def is_of_a_group(grade: Grade, name: str) -> bool:
    """Tell whether the work came under another name than its student's, as that of a group does."""
    came, called = _letters(grade.student), _letters(name)
    return bool(came and called) and SequenceMatcher(None, came, called).ratio() < _ALIKE


def _letters(name: str) -> str:
    """What is left of a name whatever is done to its accents on the way."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(character for character in plain if character.isascii() and character.isalpha())
