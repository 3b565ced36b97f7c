"""Brightspace (D2L).

A download contains ``userid-folderid - Full Name - Oct 3, 2026 1159 PM/`` for every attempt or, without
folders, ``… - Oct 3, 2026 1159 PM - lab.zip``, and an index.html. Some institutions have the OrgDefinedId
between the numbers and the name. Times have no zone, and months are named in the user's language. The
gradebook does not contain the numbers. Its heads are ``Lab 2 Points Grade <Numeric MaxPoints:50 Weight:10>``,
its ids begin with #, and the last column is called End-of-Line Indicator and contains # in every row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.platforms.base import DownloadItem, Grade, Line, Platform, by_name, first_and_last_name

_NAME: Final = re.compile(
    r"""(?P<numbers>\d+-\d+)\ -\ (?:\#?(?P<org>[^\s#]*\d[^\s]*)\ -\ )?(?P<who>.+?)\ ?-\ (?P<time>
        (?:(?P<month>[^\W\d]+)\.?\ (?P<day>\d{1,2})|(?P<day2>\d{1,2})\.?\ (?P<month2>[^\W\d]+)\.?),?
        \ (?P<year>\d{4}),?\ (?P<hour>\d{1,2})[:.]?(?P<minute>\d\d)(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?
    )(?:\ -\ (?P<name>.+))?""",
    re.VERBOSE | re.DOTALL,
)
_NUMBERS: Final = re.compile(r"\d+-\d+")
_MONTHS: Final = (
    *(("jan",), ("feb", "fév"), ("mar", "mär", "mrz"), ("apr", "avr"), ("may", "mai", "maj", "mei")),
    *(("jun", "juin"), ("jul", "juil"), ("aug", "aoû", "aou", "ago"), ("sep",), ("oct", "okt", "out")),
    *(("nov",), ("dec", "dez", "des", "déc", "dic")),
)
"""The beginnings of the names of the twelve months in several languages."""
_COLUMN: Final = re.compile(
    r"(?P<title>.+) Points Grade(?: <(?P<facts>[^<>]*)>)?(?P<number>)", re.IGNORECASE | re.DOTALL
)
_WORTH: Final = re.compile(r"\bMaxPoints:([^\s<>]+)")
_END: Final = "End-of-Line Indicator"


def _read_item(path: Path) -> DownloadItem | None:
    found = _NAME.fullmatch(path.name)
    if found is None:
        return None
    submitted = _time(found)
    return DownloadItem(
        path,
        found["who"].strip(),
        found["org"] or found["numbers"],
        found["name"] or "",
        attempt=submitted.isoformat() if submitted else found["time"],
        submitted=submitted,
        is_ordered=submitted is not None,
    )


def _time(found: re.Match[str]) -> datetime | None:
    """Parse the time in a name; None if it is not understood."""
    word = (found["month"] or found["month2"]).casefold()
    month = next((number for number, starts in enumerate(_MONTHS, 1) if word.startswith(starts)), 0)
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + (12 if found["half"] in "Pp" else 0)
    try:
        return datetime(
            int(found["year"]), month, int(found["day"] or found["day2"]), hour, int(found["minute"])
        )
    except ValueError:
        return None


def _table(grades: Sequence[Grade], title: str) -> list[Line]:
    nameless = [grade.name for grade in grades if _NUMBERS.fullmatch(grade.id)]
    if nameless:
        raise InputError(
            "expected the gradebook, since the download does not give the Username or OrgDefinedId of "
            f"{nameless[0]}, got none: export it in Brightspace (Grades > Export), and name it by --gradebook"
        )
    key = "OrgDefinedId" if any(grade.id for grade in grades) else "Username"
    lines: list[Line] = [[grade.user, grade.score, "#"] for grade in grades]
    return [[key, f"{title} Points Grade", _END], *lines]


def _page(grade: Grade) -> str | None:
    """Return a path in the student's folder of the download, where the platform looks for feedback."""
    found = _NAME.fullmatch(grade.source)
    if found is None:
        return None
    folder = grade.source[: found.end("time")]
    return f"{folder} - feedback.html" if found["name"] else f"{folder}/feedback.html"


PLATFORM: Final = Platform(
    reader=by_name(_read_item),
    folder=lambda item: f"{item.student}_{item.id.partition('-')[0]}",
    source=lambda path: path.name if _NAME.fullmatch(path.name) else path.parent.name,
    keys=("OrgDefinedId", "Username", "Email"),
    full_name=first_and_last_name,
    column=_COLUMN,
    worth=lambda column, _row, _top: found[1] if (found := _WORTH.search(column)) else None,
    table=_table,
    numbers_gradebook=False,
    page=_page,
)
