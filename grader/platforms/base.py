"""What the grader has to know of a learning platform: one record, in one module, for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

Row = Mapping[str, str]
"""A line of a gradebook: its cells by the head of the column."""
Line = Sequence[str | float | None]
"""A line of a new table; numbers are points."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One file or folder of a bulk download."""

    path: Path
    student: str
    id: str
    """The platform's number or name of the student."""
    name: str
    """What the student called the file; empty for a folder, a receipt, or a typed answer."""
    attempt: str = ""
    """Of several attempts, which: the last in the order of the alphabet counts, the others do not."""
    number: int = 0
    """Within an attempt, what came later has a greater one."""
    submitted: datetime | None = None
    late: bool = False


@dataclass(frozen=True, slots=True)
class Grade:
    """What one student got, as a line of grades.csv has it."""

    submission: str
    """The folder of its results."""
    student: str
    id: str
    score: float | None
    """None where the submission could not be graded."""
    max_score: float
    status: str
    platform: str
    source: str
    """What the platform called the file or folder."""
    comment: str = ""
    """A word on it to the student."""
    called: str = ""
    """What the results would be filed under, were they not under pseudonyms."""

    @property
    def name(self) -> str:
        """The submission, as people know it."""
        return self.called or self.submission

    @property
    def user(self) -> str:
        """What names the student to the platform: its number or name, else the name as it was handed in."""
        return self.id or self.student or self.name


Reader = Callable[[Path], "Piece | None"]
"""Tells whose a file or folder is, by its name; None for what this platform did not name."""
ReadText = Callable[[Path], str]
"""Returns the beginning of a file as text; empty where it cannot be read."""


@dataclass(frozen=True, slots=True)
class Platform:
    """How a platform names what it hands out, and in which form it takes scores and pages back."""

    reader: Callable[[Sequence[Path], ReadText], Reader]
    """Makes the reader of a download of which these are all the paths."""
    folder: Callable[[Piece], str]
    """What a student's results are filed under."""
    source: Callable[[Path], str]
    """The name by which the platform knows what was handed in, from its first path."""
    keys: tuple[str, ...]
    """Columns of its gradebook that name a student without doubt, in the order in which they are tried."""
    full_name: Callable[[Row], str]
    """The student of a row of its gradebook."""
    column: re.Pattern[str] | None
    """The head of a column of its gradebook that takes scores, with the group ``title`` and maybe
    ``number``; None where it is always called Grade."""
    worth: Callable[[str, Row, Sequence[Row]], str | None]
    """What an assignment is worth there, from the head of its column, a student's row, and the first rows, as
    it is written; None where the gradebook has no place for that."""
    table: Callable[[Sequence[Grade], str], list[Line]]
    """A new table of scores, with the title of the assignment."""
    heads: Callable[[Sequence[str], Sequence[Sequence[str]]], list[str]] | None = None
    """The heads of a gradebook as they are known here, from those that stand in it and its rows, where they
    are in the language of whoever exports it."""
    comments: str = ""
    """The column of its gradebook that takes a word to the student, where there is one."""
    names_groups: bool = False
    """Whether a group's work comes under the name of the group, with the number of one member."""
    page: Callable[[Grade], str | None] | None = None
    """The name by which a feedback page finds its student, None for what did not come from there; no
    function where the platform takes no pages."""
