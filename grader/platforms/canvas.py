"""Canvas.

A download contains ``name[_LATE]_userid_attachmentid_file``, ``name_userid_text.html`` for a typed answer,
and ``name_userid_link.html`` for a link; if names are hidden, ``[LATE_]anon_number_attachmentid_file``. Group
work comes once, under the name of the group with the number of one member. A table needs five columns; a head
that Canvas does not know makes a new assignment. A gradebook has the column Student, or LastName and
FirstName.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.platforms.base import DownloadItem, Grade, Line, Platform, Row, by_name, doubt_names
from grader.text import visible

_FILE: Final = re.compile(
    r"(?P<who>.+?)(?P<late>_LATE|_late)?_(?P<id>\d+)_(?P<file>\d+)_(?P<name>.+)", re.DOTALL
)
_TYPED: Final = re.compile(r"(?P<who>.+?)(?P<late>_LATE|_late)?_(?P<id>\d+)_(?:text|link)\.html", re.DOTALL)
_HIDDEN_NAME: Final = re.compile(
    r"(?P<late>LATE_|late_)?(?P<who>anon)_(?P<id>[A-Za-z0-9]+)_(?:(?P<file>\d+)_(?P<name>.+)|(?:text|link)\.html)",
    re.DOTALL,
)
_HANDED_OUT: Final = re.compile(
    r"(?P<head>(?:LATE_|late_)?anon_[A-Za-z0-9]+|.+?(?:_LATE|_late)?_\d+)_(?:(?P<file>\d+)_.+|(?:text|link)\.html)",
    re.DOTALL,
)


_COPY: Final = re.compile(r"(?:-\d+| \(\d+\))(?=\.\w+$)")
"""What Canvas appends to the name of a file that is handed in again, and a browser to one saved again."""
_ARCHIVES: Final = (".zip", ".7z", ".tar", ".gz", ".tgz", ".rar")
_HIDDEN: Final = "anon"


def _doubt(items: Sequence[DownloadItem]) -> str:
    """Return why items are none of Canvas: it hands out files, each with a number of its own, of students
    who are not all called the same, and not a class of archives as those of one student."""
    if any(item.path.is_dir() for item in items):
        return "Canvas hands out no folders"
    files = {(item.number, _COPY.sub("", item.name)) for item in items if item.number}
    numbers = Counter(number for number, _ in files)
    if twice := next((number for number, count in numbers.items() if count > 1), 0):
        return f"several files have the number {twice}"
    names, ids = {item.student for item in items}, {item.id for item in items}
    if len(ids) > 1 and len(names) == 1 and names != {_HIDDEN}:
        return f"all students would be called {visible(names.pop())}"
    if len(ids) == 1 and len({name for _, name in files if name.lower().endswith(_ARCHIVES)}) > 1:
        return "all archives would be those of one student"
    return doubt_names(items)


def _read_item(path: Path) -> DownloadItem | None:
    found = _HIDDEN_NAME.fullmatch(path.name)
    if found:
        number = int(found["file"] or 0)
        return DownloadItem(
            path, _HIDDEN, found["id"], found["name"] or "", number=number, late=bool(found["late"])
        )
    found = _FILE.fullmatch(path.name)
    if found:
        late, number = bool(found["late"]), int(found["file"])
        return DownloadItem(path, found["who"], found["id"], found["name"], number=number, late=late)
    found = _TYPED.fullmatch(path.name)
    return DownloadItem(path, found["who"], found["id"], "", late=bool(found["late"])) if found else None


def _worth(column: str, _row: Row, top: Sequence[Row]) -> str | None:
    """Return the points in the row above the students; None if there is no such row."""
    above = (row for row in top if next(iter(row.values())) == "Points Possible")
    return next(above, {}).get(column)


def _table(grades: Sequence[Grade], title: str) -> list[Line]:
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title]
    most = max((grade.max_score for grade in grades), default=0.0)
    worth: Line = ["    Points Possible", "", "", "", "", most]
    return [head, worth, *([g.student, g.id, "", "" if g.id else g.user, "", g.score] for g in grades)]


def _page(grade: Grade) -> str | None:
    if not grade.source:  # a typed answer or a link, not a file
        return f"{grade.student}_{grade.id}_feedback.html"
    found = _HANDED_OUT.fullmatch(grade.source)
    if found is None:
        return None
    file = f"{found['file']}_" if found["file"] else ""
    return f"{found['head']}_{file}feedback.html"


PLATFORM: Final = Platform(
    reader=by_name(_read_item),
    folder=lambda piece: f"{piece.student}_{piece.id}",
    source=lambda path: path.name,
    keys=("ID", "SIS Login ID", "SIS User ID"),
    own_keys=("ID",),
    full_name=lambda row: (
        row.get("Student") or ", ".join(filter(None, (row.get("LastName"), row.get("FirstName"))))
    ),
    column=re.compile(r"(?P<title>.+) \((?P<number>\d+)\)"),
    worth=_worth,
    table=_table,
    doubt=_doubt,
    names_groups=True,
    page=_page,
)
