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
from pathlib import Path
from typing import Final

from grader.platforms.base import (
    DownloadItem,
    Grade,
    Line,
    Platform,
    Reader,
    ReadText,
    Row,
    first_and_last_name,
)

_NAME: Final = re.compile(
    r"(?P<before>.+)_attempt_(?P<time>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<name>.+)|(?P<receipt>\.txt))",
    re.DOTALL,
)
_RECEIPT_NAME: Final = re.compile(r"^Name:\s*(?P<who>.+?)\s*\((?P<user>[^()\n]+)\)\s*$", re.MULTILINE)
_TOTAL: Final = re.compile(r".*\[Total Pts: (?:up to )?(?P<points>.*?)(?:\s\D*)?\](?: \|\d+)?")
"""The group ``points`` is everything before the unit, such as Score, so that a wrong number is reported."""


def _reader(paths: Sequence[Path], read: ReadText) -> Reader:
    return partial(_read_item, users=_users(paths, read))


def _read_item(path: Path, users: Mapping[str, str]) -> DownloadItem | None:
    found = _NAME.fullmatch(path.name)
    if found is None:
        return None
    try:
        submitted = datetime.strptime(found["time"], "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None
    known = [user for user in users if found["before"].endswith(f"_{user}")]
    user = max(known, key=len) if known else found["before"].rpartition("_")[2]
    return DownloadItem(
        path, users.get(user, user), user, found["name"] or "", attempt=found["time"], submitted=submitted
    )


def _users(paths: Sequence[Path], read: ReadText) -> dict[str, str]:
    """Return full names by user name, read from the receipts, since both may contain underscores."""
    users = {}
    for path in paths:
        found = _NAME.fullmatch(path.name)
        if found and found["receipt"]:
            named = _RECEIPT_NAME.search(read(path))
            if named and found["before"].endswith(f"_{named['user']}"):
                users[named["user"]] = named["who"]
    return users


def _worth(column: str, _row: Row, _top: Sequence[Row]) -> str | None:
    found = _TOTAL.fullmatch(column)
    return found["points"] if found else None


def _table(grades: Sequence[Grade], title: str) -> list[Line]:
    return [["Username", title], *([grade.user, grade.score] for grade in grades)]


PLATFORM: Final = Platform(
    reader=_reader,
    folder=lambda piece: piece.id,
    source=lambda path: path.name,
    keys=("Username", "Student ID"),
    full_name=first_and_last_name,
    column=re.compile(r"(?P<title>(?!Weighted Total|Total \[).+?) \[Total Pts: .*\](?: \|(?P<number>\d+))?"),
    worth=_worth,
    table=_table,
)
