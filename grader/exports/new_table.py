"""A table of scores made from nothing but the results, in the form in which a platform takes it.

Canvas needs its five columns and makes a new assignment of a head that it does not know. Moodle's
grading worksheet is known by Identifier, Grade and Last modified (grade), where "-" says that nothing
had been graded, so that Moodle keeps what is newer; without participants' numbers the table is for
"Import, CSV file" in its gradebook. Blackboard needs Username and makes a new column of a head
without a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.csv_cells import csv_bytes, points
from grader.exports.gradebook import Filled
from grader.exports.grades_csv import RESULTS, Grade, check_platform
from grader.results import read

Line = list[str]
Table = Callable[[Sequence[Grade], str], list[Line]]


def make(name: str, results: Path, grades: Sequence[Grade], assignment: str | None = None) -> Filled:
    """Make the table. Raises InputError where the results are another platform's, name a student twice,
    or hold no score."""
    check_platform(name, grades, results)
    is_download = any(grade.platform for grade in grades)
    problems: list[str] = []
    taken: dict[str, Grade] = {}
    for grade in grades:
        if grade.score is None:
            problems.append(f"{grade.submission}: no score, since it could not be graded; left out")
        elif is_download and not grade.platform:
            problems.append(f"{grade.submission}: not from {name.title()}; left out")
        elif (other := taken.setdefault(_key(grade), grade)) is not grade:
            raise InputError(
                f"{other.submission} and {grade.submission} are the same student: {_key(grade)}", path=results
            )
    if not taken:
        raise InputError("expected results with a score, found none", path=results)
    if not is_download:
        problems.append(
            f"students are called as their folders are: each has to be a user name in {name.title()}"
        )
    lines = TABLES[name](list(taken.values()), assignment or _title(results, *taken.values()))
    return Filled(csv_bytes(lines), len(taken), tuple(problems))


def _key(grade: Grade) -> str:
    """What names the student to the platform: its own number or name, else the name of the folder."""
    return grade.id or grade.submission


def _title(results: Path, grade: Grade, *_others: Grade) -> str:
    return str(read(results / grade.submission / RESULTS).get("title") or "Lab")


def _canvas(grades: Sequence[Grade], title: str) -> list[Line]:
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title]
    worth = ["    Points Possible", "", "", "", "", points(max(grade.max_score for grade in grades))]
    return [head, worth, *([g.student, g.id, "", _login(g), "", points(g.score)] for g in grades)]


def _moodle(grades: Sequence[Grade], title: str) -> list[Line]:
    if not any(grade.id for grade in grades):
        return [["Username", title], *([grade.submission, points(grade.score)] for grade in grades)]
    head = ["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"]
    return [
        head,
        *([f"Participant {g.id}", g.student, points(g.score), points(g.max_score), "-"] for g in grades),
    ]


def _blackboard(grades: Sequence[Grade], title: str) -> list[Line]:
    return [["Username", title], *([_key(grade), points(grade.score)] for grade in grades)]


def _login(grade: Grade) -> str:
    return "" if grade.id else grade.submission


TABLES: Final[Mapping[str, Table]] = {"canvas": _canvas, "moodle": _moodle, "blackboard": _blackboard}
