"""The description of a learning platform: each platform is one record in a module of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

MEMBERS: Final = "; "
"""This separates the names of the members of a group, and their ids."""
Row = Mapping[str, str]
"""A row of a gradebook: its cells by the head of the column."""
Line = Sequence[str | float | None]
"""A line of a new table, in which numbers are points."""


@dataclass(frozen=True, slots=True)
class DownloadItem:
    """One file or folder of a bulk download."""

    path: Path
    student: str
    id: str
    """The student's number or user name on the platform."""
    name: str
    """The student's name for the file; empty for a folder, a receipt, or a typed answer."""
    attempt: str = ""
    """A sort key that tells apart several attempts: only the alphabetically last one counts."""
    number: int = 0
    """The order within an attempt: a later file has a greater number."""
    submitted: datetime | None = None
    late: bool = False
    is_ordered: bool = True
    """Whether it is known which of the student's attempts this is, the first or a later one."""
    earlier: int = 0
    """The number of earlier attempts that are not in the download."""
    assignment: str = ""
    """The assignment that it was handed in for, if a download may contain several."""
    score: str = ""
    """The score that the platform gave, as it is written there."""


@dataclass(frozen=True, slots=True)
class Grade:
    """What one student got: a line of grades.csv."""

    submission: str
    """The name of the folder with the results."""
    student: str
    id: str
    score: float | None
    """None if the submission could not be graded."""
    max_score: float
    status: str
    platform: str
    source: str
    """The name that the platform gave the file or folder."""
    comment: str = ""
    """A comment for the student."""
    called: str = ""
    """The name that the folder of the results would have without pseudonyms."""

    @property
    def name(self) -> str:
        """Return the name of the submission that people know: never a pseudonym if the real one is known."""
        return self.called or self.submission

    def for_members(self) -> list[Grade]:
        """Return a grade for each student, if a platform names the members of a group together."""
        students, ids = self.student.split(MEMBERS), self.id.split(MEMBERS)
        if len(students) == 1 or len(students) != len(ids):
            return [self]
        return [replace(self, student=who, id=id_) for who, id_ in zip(students, ids, strict=True)]

    @property
    def user(self) -> str:
        """Return how the platform knows the student: by number or user name, else by the submitted name."""
        return self.id or self.student or self.name


Reader = Callable[[Path], "DownloadItem | None"]
"""Reads from the name of a file or folder whose it is; None if the name is not of this platform's form."""
ReadText = Callable[[Path], str]
"""Returns the beginning of a file as text, at most 32 MiB; empty if it cannot be read."""


@dataclass(frozen=True, slots=True)
class Platform:
    """How a platform names the files of a download, and in which formats it imports scores and pages."""

    reader: Callable[[Sequence[Path], ReadText], Reader]
    """Makes the reader for a download, given all its paths."""
    folder: Callable[[DownloadItem], str]
    """Returns the name of the folder for a student's results."""
    source: Callable[[Path], str]
    """Returns the platform's name for a submission, given its first path."""
    keys: tuple[str, ...]
    """The gradebook columns that identify a student, in the order in which they are tried."""
    full_name: Callable[[Row], str]
    """Returns the full name of the student in a gradebook row."""
    column: re.Pattern[str] | None
    """Matches the head of a gradebook column for scores, with the group ``title`` and perhaps ``number``;
    None if the column is always called Grade."""
    worth: Callable[[str, Row, Sequence[Row]], str | None]
    """Returns what an assignment is worth, as it is written, given the head of its column, a student's row,
    and the first rows; None if the gradebook does not say."""
    table: Callable[[Sequence[Grade], str], list[Line]]
    """Makes a new table of scores, with the title of the assignment."""
    heads: Callable[[Sequence[str], Sequence[Sequence[str]]], list[str]] | None = None
    """Translates the heads of a gradebook to English, given the heads and the rows; None if the platform
    writes them in English."""
    comments: str = ""
    """The gradebook column for comments to the student; empty if there is none."""
    find: Callable[[Sequence[Path], ReadText], Sequence[Path]] | None = None
    """Returns the paths of all submissions of a download, given the paths at its top; None if they are the
    same. A path where nothing lies stands for a submission without files."""
    is_download: Callable[[Sequence[DownloadItem]], bool] = bool
    """Tells whether these items of a folder are those of a download."""
    is_sure: bool = True
    """Whether nobody but the platform gives such names, so that a download of another one is not taken for
    its own."""
    numbers_gradebook: bool = True
    """Whether the ids of its downloads stand in its gradebook; if not, students are found by name."""
    own_keys: tuple[str, ...] = ()
    """The keys that are numbers of the platform's own, which no other platform knows."""
    names_groups: bool = False
    """Whether group work comes under the name of the group, with the number of one member."""
    page: Callable[[Grade], str | None] | None = None
    """Returns the file name by which the platform assigns a feedback page to its student, or None for work
    that did not come from there; the function is None if the platform does not accept feedback pages."""


def by_name(read_item: Reader) -> Callable[[Sequence[Path], ReadText], Reader]:
    """Return what makes the reader for a download of which each name says all, whatever lies beside it."""
    return lambda _paths, _read: read_item


def first_and_last_name(row: Row) -> str:
    """Return the full name of a student whose names stand in two columns."""
    return f"{row.get('First Name', '')} {row.get('Last Name', '')}".strip()


def table_to_copy_from(grades: Sequence[Grade], title: str) -> list[Line]:
    """Make a table of names and scores, for a platform that imports none."""
    return [["Full Name", title], *([grade.user, grade.score] for grade in grades)]
