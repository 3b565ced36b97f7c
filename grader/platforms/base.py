"""The description of a learning platform, and the platforms that are supported: a module and a record each.

Points come as platforms and people write them: decimal point or comma, with or without separators. "1,000"
means a thousand to some people and one to others. A wrong guess would turn 1000 points into 1, so a text that
could be either is rejected.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.platforms import NAMES
from grader.text import visible

MEMBERS: Final = "; "
"""Separates the names, and the ids, of a group's members."""
Row = Mapping[str, str]
"""A gradebook row: its cells by column head."""
Line = Sequence[str | float | None]
"""A line of a new table; numbers in it are points."""


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
    """A sort key of attempts: only the alphabetically last one counts."""
    number: int = 0
    """The order within an attempt: later files have greater numbers."""
    submitted: datetime | None = None
    late: bool = False
    is_ordered: bool = True
    """Whether it is known which of the student's attempts came first."""
    earlier: int = 0
    """The number of earlier attempts that the download lacks."""
    assignment: str = ""
    """The assignment that it belongs to, if a download may contain several."""
    score: str = ""
    """The platform's score, as written there."""


@dataclass(frozen=True, slots=True)
class Grade:
    """One student's result: a line of grades.csv."""

    submission: str
    """The name of the results folder."""
    student: str
    id: str
    score: float | None
    """None if the submission could not be graded."""
    max_score: float
    status: str
    platform: str
    source: str
    """The platform's name for the file or folder."""
    comment: str = ""
    """A comment for the student."""
    called: str = ""
    """The name that the results folder would have without pseudonyms."""
    open: tuple[str, ...] = ()
    """The kinds of items that a person has not decided yet: an export leaves its cell as it is."""
    unmarked: float = 0.0
    """The points of checks that nobody has marked yet."""

    @property
    def name(self) -> str:
        """Return the submission's name for people: the real one if it is known, never the pseudonym then."""
        return self.called or self.submission

    def for_members(self) -> list[Grade]:
        """Split the grade into one per student if the platform names group members together."""
        students, ids = self.student.split(MEMBERS), self.id.split(MEMBERS)
        if len(students) == 1 or len(students) != len(ids):
            return [self]
        return [replace(self, student=who, id=id_) for who, id_ in zip(students, ids, strict=True)]

    @property
    def user(self) -> str:
        """Return the student's number or user name on the platform, else the submitted name."""
        return self.id or self.student or self.name


def doubt_names(items: Sequence[DownloadItem]) -> str:
    """Return why items cannot be those of one download: an id that stands for two students; "" if none does.

    An id may stand for a name that the download does not tell.
    """
    names: dict[str, set[str]] = {}
    for item in items:
        names.setdefault(item.id, set()).update({item.student} - {item.id})
    shared = next((id_ for id_, found in names.items() if id_ and len(found) > 1), "")
    return f"the number {shared} stands behind several names" if shared else ""


Reader = Callable[[Path], "DownloadItem | None"]
"""Return the student that the name of a file or folder belongs to; None if it has another platform's form."""
ReadText = Callable[[Path], str]
"""Return the beginning of a file as text, at most 32 MiB; empty if it cannot be read."""


_PLACEHOLDERS: Final = {"student": ".+?", "n": r"\d+", "attempt": ".+?", "rest": ".+"}
"""What stands in a form of names for the student, for the number of a file, for an attempt, and for the name
that the student gave the file."""
_ENDS: Final = r"(?:\.(?:[A-Za-z]\w*|7z))*"
"""The suffixes of a file, which a form without ``{rest}`` does not say."""


def reader_of(form: str) -> Reader:
    """Return the reader of names in a form such as ``{student}_file{n}_submission{attempt}``.

    Raises InputError where the form does not say who the student is, or has another placeholder.
    """
    first, *others = re.split(r"\{(\w*)\}", form)
    used = others[::2]
    if "student" not in used or len({*used}) < len(used) or not {*used} <= _PLACEHOLDERS.keys():
        raise InputError(
            "expected {student} and perhaps {n}, {attempt} and {rest}, each once, as in "
            f"'{{student}}_{{n}}_{{rest}}' (--names), got {visible(form)!r}"
        )
    parts = (
        f"(?P<{name}>{_PLACEHOLDERS[name]}){re.escape(text)}"
        for name, text in zip(used, others[1::2], strict=True)
    )
    ends = "" if "rest" in used else _ENDS
    return partial(_read_by, re.compile(re.escape(first) + "".join(parts) + ends, re.DOTALL))


def _read_by(form: re.Pattern[str], path: Path) -> DownloadItem | None:
    found = form.fullmatch(path.name)
    if found is None:
        return None
    parts = found.groupdict(default="")
    name = "" if path.is_dir() else parts.get("rest", path.name)
    attempt = _DIGITS.sub(lambda number: number[0].zfill(20), parts.get("attempt", ""))
    return DownloadItem(
        path, parts["student"].strip(), "", name, attempt=attempt, number=int(parts.get("n", "0"))
    )


_DIGITS: Final = re.compile(r"\d+")
_SEPARATORS: Final = ("_", " - ", "-")


def propose_form(names: Sequence[str]) -> str:
    """Return a form by which most of the students have several of the files; "" for none.

    Of the columns in which names differ, the first that is no number is the student's, or else the first; the
    others are the number of a file, then that of an attempt, if their numbers alone differ. What follows is
    the student's name for the file.
    """
    for separator in _SEPARATORS:
        rows = [name.split(separator) for name in names]
        width = min(map(len, rows), default=0)
        cut = [(*row[: width - 1], separator.join(row[width - 1 :])) for row in rows]
        columns = [*zip(*cut, strict=True)] if width > 1 and not any("{" in name for name in names) else []
        differ = [column for column in columns[:-1] if len({*column}) > 1]
        words = [column for column in differ if _numbered_form(column, "") is None]
        student = next(iter((*words, *differ)), ())
        counts = Counter(student).values()
        if sum(count > 1 for count in counts) > len(counts) / 2:
            return separator.join(_placeholders(columns, student))
    return ""


def _placeholders(columns: Sequence[Sequence[str]], student: Sequence[str]) -> Iterator[str]:
    left = ["{n}", "{attempt}"]
    for column in columns[:-1]:
        numbered = _numbered_form(column, left[0]) if left else None
        if column is student or len({*column}) == 1:
            yield "{student}" if column is student else column[0]
        elif numbered is None:
            break
        else:
            del left[0]
            yield numbered
    else:
        stems = [re.sub(f"{_ENDS}$", "", name) for name in columns[-1]]
        numbered = _numbered_form(stems, left[0]) if left and len({*stems}) > 1 else None
        yield numbered or "{rest}"
        return
    yield "{rest}"


def _numbered_form(column: Sequence[str], placeholder: str) -> str | None:
    """Return the form of texts that differ in one number alone; None if they differ in more."""
    forms = {_DIGITS.sub("\0", text) for text in column}
    (form, *more) = forms
    return form.replace("\0", placeholder) if not more and form.count("\0") == 1 else None


@dataclass(frozen=True, slots=True)
class Platform:
    """How a platform names the files of a download, and in which formats it imports scores and pages."""

    reader: Callable[[Sequence[Path], ReadText], Reader]
    """Make the reader for a download, given all its paths."""
    folder: Callable[[DownloadItem], str]
    """Return the folder name for a student's results."""
    source: Callable[[Path], str]
    """Return the platform's name for a submission, given its first path."""
    keys: tuple[str, ...]
    """Gradebook columns that identify a student, in the order in which they are tried."""
    full_name: Callable[[Row], str]
    """Return the student's full name from a gradebook row."""
    column: re.Pattern[str] | None
    """Matches the head of a gradebook column for scores, with the group ``title`` and perhaps ``number``;
    None if the column is always called Grade."""
    worth: Callable[[str, Row, Sequence[Row]], str | None]
    """Return what an assignment is worth, as written, given the head of its column, a student's row, and the
    first rows; None if the gradebook does not say.
    """
    table: Callable[[Sequence[Grade], str], list[Line]]
    """Make a new table of scores, given the title of the assignment."""
    heads: Callable[[Sequence[str], Sequence[Sequence[str]]], list[str]] | None = None
    """Translate a gradebook's heads to English, given heads and rows; None if the platform writes English."""
    comments: str = ""
    """The gradebook column for comments to the student; empty if there is none."""
    find: Callable[[Sequence[Path], ReadText], Sequence[Path]] | None = None
    """Return the paths of all submissions, given those at the top of a download; None if they are the same. A
    path that does not exist stands for a submission without files.
    """
    doubt: Callable[[Sequence[DownloadItem]], str] = doubt_names
    """Return why these items, held against each other, cannot be those of one download; "" if they can."""
    is_sure: bool = True
    """Whether such names come from this platform alone, so that another's download is not mistaken for its
    own.
    """
    numbers_gradebook: bool = True
    """Whether the gradebook contains the ids of downloads; if not, students are found by name."""
    own_keys: tuple[str, ...] = ()
    """The keys that are the platform's own numbers, unknown to other platforms."""
    names_groups: bool = False
    """Whether group work carries the group's name and the number of one member."""
    page: Callable[[Grade], str | None] | None = None
    """Return the file name by which the platform assigns a feedback page to its student, or None for work
    from elsewhere; the function itself is None if the platform does not accept feedback pages.
    """


def by_name(read_item: Reader) -> Callable[[Sequence[Path], ReadText], Reader]:
    """Wrap a function that needs only the name of each item of a download, not those beside it."""
    return lambda _paths, _read: read_item


def first_and_last_name(row: Row) -> str:
    """Join a student's first and last name, which are separate columns."""
    return f"{row.get('First Name', '')} {row.get('Last Name', '')}".strip()


def table_to_copy_from(grades: Sequence[Grade], title: str) -> list[Line]:
    """Make a table of names and scores for a platform that cannot import one."""
    return [["Full Name", title], *([grade.user, grade.score] for grade in grades)]


_LONGEST: Final = 40
_SPACES: Final = " \u00a0\u2009\u202f'\u2019"
"""Characters that separate thousands, and are never a decimal sign."""
_NUMBER: Final = re.compile(
    rf"""[+-]?(?:
        [0-9]+(?:[.,][0-9]*)? | [.,][0-9]+
      | [0-9]{{1,3}}(?:(?P<space>[{_SPACES}])[0-9]{{3}})(?:(?P=space)[0-9]{{3}})*(?:[.,][0-9]+)?
      | [0-9]{{1,3}}(?:,[0-9]{{3}})+\.[0-9]+ | [0-9]{{1,3}}(?:,[0-9]{{3}}){{2,}}
      | [0-9]{{1,3}}(?:\.[0-9]{{3}})+,[0-9]+ | [0-9]{{1,3}}(?:\.[0-9]{{3}}){{2,}}
    )""",
    re.VERBOSE,
)
_AMBIGUOUS: Final = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
_SIGN: Final = re.compile("[.,]")


def parse_points(text: str) -> float | None:
    """Parse a number; None if the text is not a number, or an ambiguous one."""
    found = _trimmed(text)
    if len(found) > _LONGEST or not _NUMBER.fullmatch(found) or is_ambiguous(text):
        return None
    whole, sign, fraction = found.translate(dict.fromkeys(map(ord, _SPACES))), "", ""
    signs = _SIGN.findall(whole)
    if signs and signs.count(signs[-1]) == 1:  # a sign that occurs twice separates thousands
        whole, sign, fraction = whole.rpartition(signs[-1])
    return float(f"{_SIGN.sub('', whole)}{'.' if sign else ''}{fraction}")


def is_ambiguous(text: str) -> bool:
    """Return whether a text could be thousands as well as a number with three decimals."""
    return bool(_AMBIGUOUS.fullmatch(_trimmed(text)))


def _trimmed(text: str) -> str:
    return text.strip().replace("\u2212", "-")


PLATFORMS: Final[Mapping[str, Platform]] = {
    name: import_module(f"grader.platforms.{name}").PLATFORM for name in NAMES
}
