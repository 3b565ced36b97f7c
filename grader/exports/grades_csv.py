"""The table grades.csv: one line per submission, written for people, and read by every export."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Final, Literal

from grader.disk import Busy, is_held, write_whole, writing
from grader.errors import InputError
from grader.intake.class_listing import HandIn
from grader.model import ResultsJson
from grader.platforms.base import PLATFORMS, Grade, parse_points
from grader.points import round_points
from grader.results import read
from grader.text import visible

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER: Final = re.compile(r"[+-]?\d+([.,]\d+)?")


def defuse_formula(text: str) -> str:
    """Prefix the text with an apostrophe if a spreadsheet would evaluate it as a formula.

    Numbers, including negative ones, and a single dash, which platforms write for an empty value, stay
    unchanged. Full-width signs are treated like the ASCII ones.
    """
    if text == "-" or _NUMBER.fullmatch(text):
        return text
    start = text.lstrip(" \u00a0\ufeff")[:1].translate({0xFF1D: "=", 0xFF0B: "+", 0xFF0D: "-", 0xFF20: "@"})
    return f"'{text}" if start in _FORMULA and start else text


def undo_defusing(cell: str) -> str:
    """Remove the apostrophe that ``defuse_formula`` added to a cell."""
    return cell[1:] if cell.startswith("'") and defuse_formula(cell[1:]) == cell else cell


def format_points(score: float | None) -> str:
    """Format points for a cell, without trailing zeros; empty for None."""
    return "" if score is None else f"{round_points(score):.2f}".rstrip("0").rstrip(".")


def encode_csv(lines: Iterable[Sequence[str | float | None]]) -> bytes:
    """Encode the lines as CSV in UTF-8, with formulas defused and numbers formatted as points."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([defuse_formula(_printable(_text(cell))) for cell in line] for line in lines)
    return text.getvalue().encode("utf-8")


def _text(cell: str | float | None) -> str:
    return cell if isinstance(cell, str) else format_points(cell)


def _printable(text: str) -> str:
    """Replace surrogates, which UTF-8 cannot encode, and remove nulls, which end a cell for some readers."""
    return text.encode("utf-8", "replace").decode().replace("\0", "")


NAME: Final = "grades.csv"
UNMARKED: Final = "unmarked"
"""The column of the points that nobody has marked yet; it is there only where there are such."""
RESULTS: Final = "results.json"
FEEDBACK: Final = "feedback.html"
STAFF: Final = "staff.json"


UNNAMED: Final = "pseudonyms"
"""Stands for the platform in grades.csv if students are under pseudonyms."""
Status = Literal["graded", "refused", "undecided", "fault", "waiting", "exempt"]
"""A submission is ``undecided`` until a person says what counts, and ``waiting`` until it is graded."""


class Concern(str):
    """What there is to say beside a mark, perhaps a question for a person: text, with its kind."""

    __slots__ = ("check", "file", "kind", "markers")
    kind: str
    check: str
    """The check that gets its points by a person's answer; empty if there is none."""
    markers: int
    """How many persons have to mark the check."""
    file: str
    """The digest of the file that they mark; empty where they mark none."""

    def __new__(cls, kind: str, text: str, check: str = "", *, markers: int = 1, file: str = "") -> Concern:
        """Make the text, with its kind."""
        made = super().__new__(cls, text)
        made.kind, made.check, made.markers, made.file = kind, check, markers, file
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
    numbered: int = 1
    """How many attempts the results tell of, by numbers in names; the last is graded."""
    has_staff_page: bool = False
    """Whether it has a page with details hidden from students."""
    work: str = ""
    """A digest of what was handed in; empty if it is unknown."""

    @property
    def name(self) -> str:
        """The name of its folder in the results."""
        return self.hand_in.name

    @property
    def open_points(self) -> float:
        """The points of checks that nobody has marked yet."""
        checks = (check for exercise in self.exercises for check in exercise.checks)
        waiting = (check for check in checks if check.status == "unmarked" and not check.is_withdrawn)
        return round_points(sum(check.max_score for check in waiting)) if self.score is not None else 0.0

    @property
    def so_far(self) -> str:
        """What is known of a mark that waits for persons; empty where it does not."""
        if not self.open_points:
            return ""
        left = format_points(self.max_score - self.open_points)
        are = "is" if self.open_points == 1 else "are"
        waits = f"{format_points(self.open_points)} {are} not marked yet"
        return f"{format_points(self.score)} of {left} so far; {waits}"

    @property
    def attempts(self) -> int:
        """How many attempts there are: the platform's, or those in what was handed in."""
        return max(self.hand_in.attempts, self.numbered)


def grades_csv(
    rows: Sequence[Row],
    exercises: Sequence[str],
    questions: Collection[str],
    still_open: Mapping[str, Sequence[str]],
) -> bytes:
    """Return the table; the score of a submission that could not be graded is empty, not zero.

    ``questions`` are the kinds of concerns that are told; ``still_open`` has those of the open
    items, by submission.
    """
    head = [
        "submission",
        "student",
        "id",
        "author",
        "score",
        "max_score",
        *_unmarked_head(rows),
        *exercises,
        "status",
        "open",
        "days_late",
    ]
    head += ["submitted", "attempts", "platform_score", "platform", "source", "look_at"]
    return encode_csv(_lines(head, rows, exercises, questions, still_open))


def _unmarked_head(rows: Iterable[Row]) -> list[str]:
    """Return the column of the points that nobody has marked yet, where there are any."""
    return [UNMARKED] if any(row.open_points for row in rows) else []


def _lines(
    head: list[str],
    rows: Iterable[Row],
    exercises: Sequence[str],
    questions: Collection[str],
    still_open: Mapping[str, Sequence[str]],
) -> Iterator[list[str]]:
    yield head
    for row in rows:
        graded = row.score is not None
        scores = {exercise.id: format_points(exercise.score) for exercise in row.exercises} if graded else {}
        yield [
            row.name,
            row.hand_in.student,
            row.hand_in.id,
            row.hand_in.author,
            format_points(row.score),
            format_points(row.max_score if row.exercises else None),
            *([format_points(row.open_points or None)] if UNMARKED in head else []),
            *(scores.get(exercise, "") for exercise in exercises),
            row.status,
            ", ".join(still_open.get(row.name, ())),
            str(row.days_late),
            *_attempt(row),
            row.hand_in.platform,
            _source(row.hand_in),
            "; ".join(filter(None, (row.so_far, *_told(row, questions)))),
        ]


def _told(row: Row, questions: Collection[str]) -> Iterator[str]:
    """Yield what a person has to look at; which checks wait to be marked is summed up."""
    return (each for each in row.concerns if each.kind in questions and each.kind != "marking")


def _attempt(row: Row) -> list[str]:
    """Return when the graded attempt came, which of how many it is, and the platform's score.

    Each is empty if it is unknown, or might reveal who has a pseudonym.
    """
    hand_in = row.hand_in
    if hand_in.platform == UNNAMED:
        return ["", "", ""]
    submitted = hand_in.submitted.isoformat(" ", "minutes") if hand_in.submitted else ""
    attempts = f"{row.attempts} of {row.attempts}" if row.attempts > 1 else ""
    return [submitted, "" if hand_in.unclear or hand_in.is_open else attempts, hand_in.platform_score]


def _source(hand_in: HandIn) -> str:
    """Return the platform's name for what was handed in; without a platform, its escaped file name."""
    if not hand_in.sources:
        return ""
    if hand_in.platform not in PLATFORMS:
        return visible(hand_in.sources[0].name)
    return PLATFORMS[hand_in.platform].source(hand_in.sources[0])


def read_grades(out: Path) -> list[Grade]:
    """Read the grades.csv in a folder of results, with what is open of each. Raises InputError."""
    path = out / NAME
    if not path.is_file():
        raise InputError(f"expected a folder of results from grader batch, with {NAME} in it", path=out)
    try:
        lines = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))
        grades = [_grade({key: undo_defusing(cell) for key, cell in line.items()}) for line in lines]
    except (OSError, UnicodeDecodeError, csv.Error, KeyError, ValueError, AttributeError) as error:
        reason = f"no column {error}" if isinstance(error, KeyError) else explain_unreadable(error)
        raise InputError(f"expected the {NAME} of grader batch: {reason}", path=path) from None
    still_open = open_kinds(out)
    return [replace(grade, open=still_open.get(grade.submission, ())) for grade in grades]


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
        unmarked=_parse_cell(line, UNMARKED) if line.get(UNMARKED) else 0.0,
    )


def _parse_cell(line: dict[str, str], column: str) -> float:
    """Parse the points in a cell. Raises ValueError unless they are an unambiguous number."""
    number = parse_points(line[column])
    if number is None:
        shown, whose = visible(line[column], limit=40), visible(line["submission"], limit=80)
        raise ValueError(f"expected points in the column {column} of {whose}, got {shown!r}")
    return number


@dataclass(frozen=True, slots=True)
class Identity:
    """A line of the key: the student behind a pseudonym."""

    pseudonym: str
    submission: str
    """The name that the results folder would have without pseudonyms."""
    student: str
    id: str
    platform: str
    source: str
    """The platform's name for the file or folder."""


Key = Mapping[str, Identity]
"""Students' identities by pseudonym."""
_HEAD: Final = [field.name for field in fields(Identity)]


def read_key(path: Path) -> dict[str, Identity]:
    """Read identities by pseudonym. Raises InputError."""
    try:
        rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""), strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"expected the key that grader batch wrote: {explain_unreadable(error)}", path=path
        ) from None
    if rows[:1] != [_HEAD] or any(len(row) != len(_HEAD) for row in rows):
        raise InputError(f"expected the key that grader batch wrote, with {', '.join(_HEAD)}", path=path)
    known = [Identity(*map(undo_defusing, row)) for row in rows[1:]]
    return {identity.pseudonym: identity for identity in known}


def encode_key(identities: Iterable[Identity]) -> bytes:
    """Return the content of a key file."""
    lines = sorted((astuple(identity) for identity in identities), key=lambda line: line[1])
    return encode_csv([_HEAD, *lines])


def restore_names(grades: Sequence[Grade], key: Path | None, results: Path) -> list[Grade]:
    """Replace pseudonyms in grades by the real names, with one grade per member of a group.

    Raises InputError if one is not in the key.
    """
    if key is None:
        if any(grade.platform == UNNAMED for grade in grades):
            raise InputError(
                "these results are under pseudonyms: give the file that names them (--key)", path=results
            )
        return [each for grade in grades for each in grade.for_members()]
    known = read_key(key)
    missing = [grade.submission for grade in grades if grade.submission not in known]
    if missing:
        raise InputError(f"expected {missing[0]} in the key: it belongs to other results", path=key)
    named = (_restore_name(grade, known[grade.submission]) for grade in grades)
    return [each for grade in named for each in grade.for_members()]


def _restore_name(grade: Grade, who: Identity) -> Grade:
    return replace(
        grade, student=who.student, id=who.id, platform=who.platform, source=who.source, called=who.submission
    )


_LANGUAGE: Final = re.compile(rb'<html lang="([a-z]{2,3})">')


def read_all_results(folder: Path) -> Iterator[ResultsJson]:
    """Read the results of a submission, or of a class one by one. Raises InputError."""
    single = folder / RESULTS
    paths = [single] if single.is_file() else list(list_class_results(folder).values())
    if not paths:
        raise InputError("expected a folder of results from grader batch or grader grade", path=folder)
    return map(read, paths)


def find_results_file(path: Path) -> Path:
    """Return the path of a results.json, given itself or its folder. Raises InputError."""
    if not path.exists():
        raise InputError(f"expected a {RESULTS}, or the folder that holds it; nothing is there", path=path)
    if not path.is_dir() or (path / RESULTS).is_file():
        return path / RESULTS if path.is_dir() else path
    inside = next(iter(list_class_results(path).values()), None)
    if inside is not None:
        raise InputError(
            f"these are the results of a class: name one submission, such as {inside.parent}", path=path
        )
    raise InputError(f"expected a folder that grader grade or batch wrote, with {RESULTS} in it", path=path)


def find_complete_file(path: Path) -> Path:
    """Return staff.json if it exists, else results.json, which holds less. Raises InputError."""
    results = find_results_file(path)
    staff = results.with_name(STAFF)
    return staff if results.name == RESULTS and staff.is_file() else results


def list_class_results(folder: Path) -> dict[str, Path]:
    """Return the paths of results.json, by submission, for all submissions in the class's grades.csv.

    Without a grades.csv, every folder with results counts. A submission that was removed later is no longer
    in grades.csv, although its folder is kept.
    """
    found = {path.parent.name: path for path in sorted(folder.glob(f"*/{RESULTS}"))}
    if not (folder / NAME).is_file():
        return found
    current = {grade.submission for grade in read_grades(folder)}
    return {name: path for name, path in found.items() if name in current}


def page_language(page: Path) -> str | None:
    """Return the language of a student's page; None if it cannot be read."""
    try:
        with page.open("rb") as file:
            found = _LANGUAGE.search(file.read(1000))
    except OSError:
        return None
    return found[1].decode() if found else None


UNFINISHED: Final = ".unfinished"
"""A marker file: the tables of a class may disagree with its results and its ledger."""
_RUN: Final = b"run"
"""What the file holds while a class is graded."""


@contextmanager
def marked_unfinished(out: Path, *, by_run: bool = False) -> Iterator[None]:
    """Mark a folder as unfinished while its results are changed, perhaps as one whose class is graded now.

    If the grader is killed or the disk is full, the mark stays.
    """
    path = out / UNFINISHED
    write_whole(path, _RUN if by_run else b"")
    yield
    with writing(path):
        path.unlink(missing_ok=True)


def is_running(out: Path) -> bool:
    """Tell whether another process grades the class of a folder now."""
    path = out / UNFINISHED
    return path.is_file() and path.read_bytes() == _RUN and is_held(out)


def check_running(out: Path) -> None:
    """Raise Busy if the run that takes in what is decided has ended."""
    if not is_running(out):
        raise Busy("the run that was going on here has just ended: give the same command again", path=out)


def check_finished(out: Path) -> None:
    """Raise InputError if a folder is marked as unfinished, since its tables may be out of date.

    While its class is graded, they say how far that is.
    """
    if (out / UNFINISHED).exists() and not ((out / NAME).is_file() and is_running(out)):
        before = (out / NAME).is_file()
        raise InputError(
            "a grader is at work here, or was stopped before grades.csv was written: give its command again"
            + (", or grader review, which writes it anew" if before else ""),
            path=out,
        )


ITEMS: Final = ".items.json"
FACTS: Final = ".class.json"
SERVED: Final = "served"
"""Among what a class was asked for in its facts, this marks a folder of ``grader serve``."""


def open_kinds(out: Path) -> dict[str, tuple[str, ...]]:
    """Return the kinds of open items, by the submissions that they are about; requests hold up nothing.

    Raises InputError.
    """
    path, found = out / ITEMS, dict[str, dict[str, None]]()
    if not path.is_file():
        return {}
    try:
        for item in json.loads(path.read_bytes()):
            is_open = not item["when"] and item["kind"] != "request"
            for name in (item["submission"], *item["others"]) if is_open else ():
                found.setdefault(name, {})[item["kind"]] = None
    except (OSError, ValueError, TypeError, KeyError):
        raise InputError("expected what grader batch wrote: run grader review", path=path) from None
    return {name: tuple(kinds) for name, kinds in found.items()}
