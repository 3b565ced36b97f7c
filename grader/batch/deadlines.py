"""How late each submission of a class is, with the CSV files that staff write.

Extensions of the deadline, and times of arrival that a platform does not report.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from grader.course.late_work import Arrival, LatePolicy, compute_lateness
from grader.errors import InputError
from grader.exports.grades_csv import explain_unreadable
from grader.intake.class_listing import HandIn
from grader.model import LateJson


def lateness_of_class(
    hand_ins: Sequence[HandIn], policy: LatePolicy | None, times: Path | None, extensions: Path | None
) -> dict[str, LateJson | None]:
    """Return what is known of the lateness of each submission, by name. Raises InputError."""
    if policy is None and (extensions or times):
        raise InputError("extensions and times need a late policy: give the rubric a key 'late'")
    came = read_times(times, hand_ins) if times else {}
    longer = read_extensions(extensions, hand_ins, policy) if extensions and policy else {}
    return {
        each.name: compute_lateness(
            policy, Arrival(came.get(each.name, each.submitted), longer.get(each.name), each.late)
        )
        for each in hand_ins
    }


def read_times(path: Path, hand_ins: Iterable[HandIn]) -> dict[str, datetime]:
    """Return the times of arrival, by submission, from the columns student and time.

    Raises InputError with the line.
    """
    return _read_column(path, hand_ins, ("time",), lambda row: datetime.fromisoformat(row["time"].strip()))


def read_extensions(path: Path, hand_ins: Iterable[HandIn], policy: LatePolicy) -> dict[str, datetime]:
    """Return the deadlines, by submission, from the columns student and deadline (or hours of extension).

    Raises InputError with the line.
    """

    def moment(row: dict[str, str]) -> datetime:
        if row.get("deadline", "").strip():
            return datetime.fromisoformat(row["deadline"].strip())
        return policy.deadline + timedelta(hours=float(row["hours"]))

    return _read_column(path, hand_ins, ("deadline", "hours"), moment)


def unknown_students(hand_ins: Sequence[HandIn], *tables: Path | None) -> list[str]:
    """Return the students in the tables who have no submission here, or whose names are misspelt."""
    known = _names(hand_ins)
    found = {
        row["student"].strip(): None
        for table in filter(None, tables)
        for row, line in _rows(table, ())
        if _find_submission(row, known, table, line) is None
    }
    return list(filter(None, found))


def _read_column(
    path: Path,
    hand_ins: Iterable[HandIn],
    columns: tuple[str, ...],
    value: Callable[[dict[str, str]], datetime],
) -> dict[str, datetime]:
    """Return the values of a table by submission; students who handed in nothing are skipped."""
    known = _names(hand_ins)
    found: dict[str, datetime] = {}
    for row, line in _rows(path, columns):
        name = _find_submission(row, known, path, line)
        if name is not None:
            found[name] = _value(row, value, path, line)
    return found


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[dict[str, str], int]]:
    """Yield the rows of a table with the column student and one of ``columns``, and their line numbers.

    Raises InputError.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            reader = csv.DictReader(file, delimiter=max(",;\t", key=head.count))
            names = reader.fieldnames or []
            if "student" not in names or (columns and not any(column in names for column in columns)):
                raise InputError(
                    f"expected the columns student and {' or '.join(columns)}, got {', '.join(names)}",
                    path=path,
                )
            for row in reader:
                yield {key: text or "" for key, text in row.items() if key}, reader.line_num
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"expected a CSV file in UTF-8: {explain_unreadable(error)}", path=path) from None


def _names(hand_ins: Iterable[HandIn]) -> Mapping[str, set[str]]:
    """Return the submissions by each name that a table may use: their own, the student's, and the number."""
    found: dict[str, set[str]] = defaultdict(set)
    for each in hand_ins:
        for called in (each.name, each.id, each.student):
            found[called].add(each.name)
    return found


def _find_submission(row: dict[str, str], known: Mapping[str, set[str]], path: Path, line: int) -> str | None:
    """Return the submission of a row's student; None where there is none. Raises InputError for several."""
    wanted = row["student"].strip()
    names = known.get(wanted, set()) if wanted else set()
    if len(names) > 1:
        raise InputError(
            f"{wanted!r} may be {' or '.join(sorted(names))}: write one of these", path=path, line=line
        )
    return next(iter(names), None)


def _value(
    row: dict[str, str], value: Callable[[dict[str, str]], datetime], path: Path, line: int
) -> datetime:
    try:
        return value(row)
    except (ValueError, KeyError, TypeError, OverflowError):
        raise InputError(
            "expected a time such as 2026-10-03T23:59 or 2026-10-03T23:59:00+02:00", path=path, line=line
        ) from None
