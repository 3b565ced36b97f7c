"""The table grades.csv: one line per submission, written for people, and read by every export."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from grader.errors import InputError
from grader.exports.csv_cells import encode_csv, format_points, undo_defusing
from grader.intake.class_listing import HandIn
from grader.platforms.base import Grade
from grader.platforms.points import parse_points
from grader.platforms.registry import PLATFORMS
from grader.text import visible

NAME: Final = "grades.csv"
RESULTS: Final = "results.json"
FEEDBACK: Final = "feedback.html"
STAFF: Final = "staff.json"


UNNAMED: Final = "pseudonyms"
"""Stands for the platform in grades.csv if students are under pseudonyms."""
Status = Literal["graded", "refused", "fault", "waiting", "exempt"]


class Concern(str):
    """What there is to say beside a mark, perhaps a question for a person: text, with its kind."""

    __slots__ = ("kind",)
    kind: str

    def __new__(cls, kind: str, text: str) -> Concern:
        """Make the text, with its kind."""
        made = super().__new__(cls, text)
        made.kind = kind
        return made


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check, as the tables need it."""

    id: str
    title: str
    status: str
    score: float
    max_score: float
    misconception: str
    message: str = ""
    maze: str = ""
    label: str = ""
    """Message, maze and label of the failure, as staff see them; all empty if the check passed."""
    is_withdrawn: bool = False
    """Whether it was withdrawn for the whole class."""


@dataclass(frozen=True, slots=True)
class ExerciseRow:
    """One exercise, as the tables need it."""

    id: str
    title: str
    score: float
    max_score: float
    checks: tuple[CheckRow, ...]
    look_at: str = ""
    """The kind of edit that would correct it, if one is certain."""
    drawn_from: str = ""
    """The name that seeded its cases; empty if all submissions have the same."""


@dataclass(frozen=True, slots=True)
class Row:
    """One submission, as the class page and the tables need it."""

    hand_in: HandIn
    status: Status
    score: float | None
    """None if there is no mark."""
    max_score: float
    exercises: tuple[ExerciseRow, ...]
    seconds: float
    days_late: int
    concerns: tuple[Concern, ...]
    """What there is to say beside the mark."""
    marked_late: bool = False
    """Whether the platform marks it as late without giving a time."""
    has_staff_page: bool = False
    """Whether it has a page with details hidden from students."""

    @property
    def name(self) -> str:
        """The name of its folder in the results."""
        return self.hand_in.name


def grades_csv(rows: Iterable[Row], exercises: Sequence[str], questions: Collection[str]) -> bytes:
    """Return the table; the score of a submission that could not be graded is empty, not zero.

    ``questions`` are the kinds of concerns that a person has to look at.
    """
    head = ["submission", "student", "id", "score", "max_score", *exercises, "status", "days_late"]
    head += ["submitted", "attempts", "platform_score", "platform", "source", "look_at"]
    return encode_csv(_lines(head, rows, exercises, questions))


def _lines(
    head: list[str], rows: Iterable[Row], exercises: Sequence[str], questions: Collection[str]
) -> Iterator[list[str]]:
    yield head
    for row in rows:
        graded = row.score is not None
        scores = {exercise.id: format_points(exercise.score) for exercise in row.exercises} if graded else {}
        yield [
            row.name,
            row.hand_in.student,
            row.hand_in.id,
            format_points(row.score),
            format_points(row.max_score if row.exercises else None),
            *(scores.get(exercise, "") for exercise in exercises),
            row.status,
            str(row.days_late),
            *_attempt(row.hand_in),
            row.hand_in.platform,
            _source(row.hand_in),
            "; ".join(each for each in row.concerns if each.kind in questions),
        ]


def _attempt(hand_in: HandIn) -> list[str]:
    """Return when the graded attempt came, which of how many it is, and the platform's score.

    Each is empty if it is unknown, or might reveal who has a pseudonym.
    """
    if hand_in.platform == UNNAMED:
        return ["", "", ""]
    submitted = hand_in.submitted.isoformat(" ", "minutes") if hand_in.submitted else ""
    attempts = f"{hand_in.attempts} of {hand_in.attempts}" if hand_in.attempts > 1 else ""
    return [submitted, "" if hand_in.unclear or hand_in.is_open else attempts, hand_in.platform_score]


def _source(hand_in: HandIn) -> str:
    """Return the platform's name for what was handed in; without a platform, its escaped file name."""
    if not hand_in.sources:
        return ""
    if hand_in.platform not in PLATFORMS:
        return visible(hand_in.sources[0].name)
    return PLATFORMS[hand_in.platform].source(hand_in.sources[0])


def read_grades(out: Path) -> list[Grade]:
    """Read the grades.csv in a folder of results. Raises InputError."""
    path = out / NAME
    if not path.is_file():
        raise InputError(f"expected a folder of results from grader batch, with {NAME} in it", path=out)
    try:
        lines = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
        return [_grade({key: undo_defusing(cell) for key, cell in line.items()}) for line in lines]
    except (OSError, UnicodeDecodeError, csv.Error, KeyError, ValueError, AttributeError) as error:
        reason = f"no column {error}" if isinstance(error, KeyError) else explain_unreadable(error)
        raise InputError(f"expected the {NAME} of grader batch: {reason}", path=path) from None


def explain_unreadable(error: Exception) -> str:
    """Explain why a table cannot be read."""
    if isinstance(error, OSError):
        return error.strerror or "it cannot be read"
    if isinstance(error, UnicodeDecodeError):
        return "this is no text in UTF-8; a spreadsheet has to be saved as CSV"
    return str(error)


INSTITUTIONAL: Final = ("gradescope",)
"""Platforms that identify students by the institution's numbers, as the gradebooks of others do."""


def check_platform(name: str, grades: Iterable[Grade], path: Path) -> None:
    """Raise InputError if the results are from a platform whose student numbers mean other students here."""
    for grade in grades:
        if grade.platform not in ("", name, *INSTITUTIONAL):
            raise InputError(
                f"expected results of a download from {name.title()}; {grade.name} came from "
                f"{grade.platform.title()}",
                path=path,
            )


def _grade(line: dict[str, str]) -> Grade:
    return Grade(
        line["submission"],
        line["student"],
        line["id"],
        _parse_cell(line, "score") if line["score"] else None,
        _parse_cell(line, "max_score") if line["max_score"] else 0.0,
        line["status"],
        line["platform"],
        line["source"],
    )


def _parse_cell(line: dict[str, str], column: str) -> float:
    """Parse the points in a cell. Raises ValueError unless they are an unambiguous number."""
    number = parse_points(line[column])
    if number is None:
        shown, whose = visible(line[column], limit=40), visible(line["submission"], limit=80)
        raise ValueError(f"expected points in the column {column} of {whose}, got {shown!r}")
    return number
