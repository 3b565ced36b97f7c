"""Blackboard.

A download contains ``Assignment_user_attempt_YYYY-MM-DD-HH-MM-SS_file`` for every attempt, and a receipt
without ``_file`` that ends in .txt. A table needs the column Username; a head without a number makes a new
column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Final

from grader.platforms.base import DownloadItem, Platform, Reader, ReadText, first_and_last_name

_NAME: Final = re.compile(
    r"(?P<before>.+)_attempt_(?P<time>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<name>.+)|(?P<receipt>\.txt))",
    re.DOTALL,
)
_RECEIPT_NAME: Final = re.compile(r"^Name:\s*(?P<who>.+?)\s*\((?P<user>[^()\n]+)\)\s*$", re.MULTILINE)
_TOTAL: Final = re.compile(r".*\[Total Pts: (?:up to )?(?P<points>.*?)(?:\s\D*)?\](?: \|\d+)?")
"""The group ``points`` is everything before the unit, such as Score, so that an invalid number is reported.
"""


def _reader(paths: Sequence[Path], read: ReadText) -> Reader:
    people = _people(paths, read)
    return partial(_read_item, people=people, assignment=_assignment(paths, people))


def _people(paths: Sequence[Path], read: ReadText) -> dict[str, tuple[str, str]]:
    """Return user and full names from the receipts, by the text before an attempt's time.

    That text is assignment and user name, which cannot be split, since both may contain underscores.
    """
    people = {}
    for path in paths:
        found = _NAME.fullmatch(path.name)
        if found and found["receipt"]:
            named = _RECEIPT_NAME.search(read(path))
            if named and found["before"].endswith(f"_{named['user']}"):
                people[found["before"]] = named["user"], named["who"]
    return people


def _assignment(paths: Sequence[Path], people: Mapping[str, tuple[str, str]]) -> str:
    """Return the text, up to an underscore, before the user names of students without a receipt.

    It is taken from others' receipts, or else is the common prefix of all names; it may be empty.
    """
    told = {before.removesuffix(user) for before, (user, _) in people.items()}
    if told:
        return min(told, key=lambda each: (len(each), each))
    names = {found["before"] for path in paths if (found := _NAME.fullmatch(path.name))}
    parts = zip(*(name.split("_")[:-1] for name in names), strict=False) if len(names) > 1 else ()
    return "".join(f"{part[0]}_" for part in takewhile(lambda part: len(set(part)) == 1, parts))


def _read_item(path: Path, people: Mapping[str, tuple[str, str]], assignment: str) -> DownloadItem | None:
    found = _NAME.fullmatch(path.name)
    if found is None:
        return None
    try:
        submitted = datetime.strptime(found["time"], "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None
    before = found["before"]
    is_known = assignment and before.startswith(assignment)
    user = (before.removeprefix(assignment) if is_known else "") or before.rpartition("_")[2]
    user, who = people.get(before, (user, user))
    return DownloadItem(path, who, user, found["name"] or "", attempt=found["time"], submitted=submitted)


PLATFORM: Final = Platform(
    reader=_reader,
    folder=lambda piece: piece.id,
    source=lambda path: path.name,
    keys=("Username", "Student ID"),
    full_name=first_and_last_name,
    column=re.compile(r"(?P<title>(?!Weighted Total|Total \[).+?) \[Total Pts: .*\](?: \|(?P<number>\d+))?"),
    worth=lambda column, _row, _top: found["points"] if (found := _TOTAL.fullmatch(column)) else None,
    table=lambda grades, title: [["Username", title], *([grade.user, grade.score] for grade in grades)],
)
