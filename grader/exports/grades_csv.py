"""Read grades.csv, from which every export starts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.exports.csv_cells import undo_defusing
from grader.platforms.base import Grade
from grader.platforms.points import parse_points
from grader.text import visible

NAME: Final = "grades.csv"
RESULTS: Final = "results.json"
FEEDBACK: Final = "feedback.html"
STAFF: Final = "staff.json"


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
