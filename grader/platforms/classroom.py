"""Google Classroom.

In the folder of an assignment in Google Drive, files are called ``Full Name - dfs.py``; a second file of the
same name becomes ``Full Name - dfs(1).py`` when Drive packs the folder. There are no numbers and no times.
Classroom exports a table of grades, with the columns Last Name, First Name and Email Address, one for each
assignment, and a row with the Points, but imports none: scores have to be copied from the filled table by
hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.platforms.base import DownloadItem, Platform, by_name, first_and_last_name, table_to_copy_from
from lab.exercises import FILES

_NAME: Final = re.compile(r"(?P<who>\S.*?) - (?P<name>\S.*)", re.DOTALL)
_PERSON: Final = re.compile(r"[^\d\s]+(?: [^\d\s]+)+")
_COPY: Final = re.compile(r" ?\(\d+\)(?=\.py$)")
_LEAST_WITH_ONE: Final = 2 / 3
"""The least share of students (0 to 1) with exactly one file; others may have submitted several."""
_LAB_FILES: Final = frozenset(file.rpartition("/")[2] for file in FILES)


def _read_item(path: Path) -> DownloadItem | None:
    found = None if path.is_dir() else _NAME.fullmatch(path.name)
    return DownloadItem(path, found["who"].strip(), "", found["name"]) if found else None


def _doubt(items: Sequence[DownloadItem]) -> str:
    """Return why the names do not begin with students' names, but with that of a group, a course or a lab.

    Only in such a download are the lab's files loose; of other files, such as archives, most students have
    one.
    """
    students = Counter(item.student for item in items)
    people = [who for who in students if _PERSON.fullmatch(who)]
    if 2 * len(people) < len(students):
        return "most names are no people's"
    is_code = any(_COPY.sub("", item.name.casefold()) in _LAB_FILES for item in items)
    with_one = sum(count == 1 for count in students.values())
    is_one_each = is_code or _LEAST_WITH_ONE * len(students) <= with_one
    return "" if is_one_each else "most names stand for several archives"


PLATFORM: Final = Platform(
    reader=by_name(_read_item),
    folder=lambda item: item.student,
    source=lambda path: path.name,
    keys=("Email Address",),
    full_name=first_and_last_name,
    column=re.compile(r"(?P<title>(?!(?:Last Name|First Name|Email Address)$).+)(?P<number>)", re.DOTALL),
    worth=lambda column, _row, top: next(
        (cells.get(column) for cells in top if "Points" in cells.values()), None
    ),
    table=table_to_copy_from,
    doubt=_doubt,
    is_sure=False,
    numbers_gradebook=False,
)
