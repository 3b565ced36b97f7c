"""Take in the requests for another look that came by mail or as files, and answer them.

Whose a request is says the folder or the column that staff give, never its text.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from grader.batch.decisions import MarkChange, adjust_mark
from grader.batch.job import work_in
from grader.batch.journal import Journal
from grader.batch.ledger import all_decisions, decisions
from grader.batch.marks import update_marks
from grader.batch.open_results import TAKEN_IN, find_submission, open_beside
from grader.batch.report.class_facts import load
from grader.batch.report.class_page import write_reports
from grader.batch.requests import (
    Answer,
    CameIn,
    LookRequest,
    close,
    find_open,
    open_one,
    read_text,
)
from grader.errors import InputError
from grader.exports.grades_csv import explain_unreadable, marked_unfinished
from grader.grading.engine import RESULTS
from grader.intake.files import read_regular
from grader.results import read
from grader.text import visible

FILE: Final = "request.txt"
_MOST_BYTES: Final = 64 * 1024
_MOST_TABLE_BYTES: Final = 16 * 1024 * 1024


def take_in(out: Path, where: Path, by: str, key: Path | None = None) -> str:
    """Open the requests in a text, a folder of them by student, or a table; return a line on each.

    What a student cannot ask is told, and not opened. ``key`` names the students of results under pseudonyms.
    Raises InputError.
    """
    found, lines, opened = [*_came_in(where)], list[str](), 0
    with open_beside(out) as (journal, is_beside):
        entries = journal.entries()
        for each in found:
            whose, came = each
            try:
                if isinstance(came, InputError):
                    raise came
                name = find_submission(out, whose, entries, key)
                open_one(out, journal, name, came, by)
            except InputError as error:
                lines.append(f"{visible(whose, one_line=True)}: not opened: {error}")
            else:
                opened += 1
                lines.append(f"{visible(name)}: {visible(came.check)}: opened")
        lines.append(f"{opened} of {len(found)} requests opened")
        if opened and is_beside:
            lines.append(TAKEN_IN)
        elif opened:
            _write(out, journal)
    return "\n".join(lines)


def _came_in(where: Path) -> Iterator[tuple[str, CameIn | InputError]]:
    """Yield whose each request is, with its parts, or with what is wrong with it. Raises InputError."""
    if not where.exists():
        raise InputError(f"expected a {FILE}, a folder of them by student, or a table", path=where)
    if where.suffix.lower() in (".csv", ".tsv"):
        yield from ((each.whose, each) for each in _table(where))
        return
    paths = [where] if where.is_file() else sorted((*where.glob("*.txt"), *where.glob("*/*.txt")))
    if not paths:
        raise InputError(f"expected a {FILE} of each student, found none", path=where)
    for path in paths:
        is_named = path.stem.casefold() != "request" and path.parent == where
        whose = path.stem if is_named else path.resolve().parent.name
        try:
            at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            yield whose, read_text(whose, read_regular(path, _MOST_BYTES, follow=True), at)
        except OSError as error:
            yield whose, InputError(f"it cannot be read: {error.strerror}", path=path)
        except InputError as error:
            yield whose, InputError(str(error), path=path)


def _table(path: Path) -> list[CameIn]:
    """Read the columns student, check and text, and perhaps attempt and when. Raises InputError."""
    try:
        text = read_regular(path, _MOST_TABLE_BYTES, follow=True).decode("utf-8-sig")
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = [(reader.line_num, {key: value or "" for key, value in row.items() if key}) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error, AttributeError) as error:
        raise InputError(f"expected a table of requests: {explain_unreadable(error)}", path=path) from None
    if not {"student", "check", "text"} <= {*(reader.fieldnames or ())}:
        raise InputError("expected the columns student, check and text", path=path)
    return [
        CameIn(
            *(row["student"].strip(), row["check"].strip(), row.get("attempt", "").strip(), row["text"]),
            _when(row.get("when", ""), path, line),
        )
        for line, row in rows
    ]


def _when(text: str, path: Path, line: int) -> datetime:
    try:
        found = datetime.fromisoformat(text.strip()) if text.strip() else datetime.now(UTC)
    except ValueError:
        told = visible(text, limit=40, one_line=True)
        raise InputError(
            f"expected a time such as 2026-10-01T14:00, got {told}", path=path, line=line
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


# --- answers ----------------------------------------------------------------------------------------


def answer_request(  # noqa: PLR0913 - what an answer is made of
    out: Path,
    who: str,
    check: str,
    answer: Answer,
    by: str,
    words: str,
    change: MarkChange | None = None,
    key: Path | None = None,
) -> str:
    """Answer a student's open request, with a change of the mark or without; return what to print.

    Raises InputError, also where that would change nothing.
    """
    if not words.strip():
        raise InputError('expected an answer, which the student reads: --reason "why the mark stays"')
    with open_beside(out) as (journal, _):
        name = find_submission(out, who, journal.entries(), key)
        work = work_in(journal.entries()[name].key)
        request = find_open(all_decisions(out), name, check, work)
        before = read(out / name / RESULTS)["score"]
    told = []
    if change is not None and not _is_made(out, request, change):
        told.append(adjust_mark(out, name, change))
    with open_beside(out) as (journal, is_beside):
        points = read(out / name / RESULTS)["score"] - before
        if change is not None and not points:  # the run that is going on takes it in, or it was made before
            points = change.points if change.action == "check" else change.points - before
        close(out, request, answer, words, by, points)
        if not is_beside:
            _write(out, journal)
    return "\n".join([*told, f"{visible(name)}: {visible(check)}: answered"])


def _is_made(out: Path, request: LookRequest, change: MarkChange) -> bool:
    """Tell whether this change was made since the request, by a command that was killed before its end."""
    asked = change.action, change.who, change.reason, change.check, change.points
    return any(
        (each.action, each.who, each.reason, each.check, each.points) == asked and each.when >= request.when
        for each in decisions(out).get(request.submission, ())
    )


def _write(out: Path, journal: Journal) -> None:
    with marked_unfinished(out):
        update_marks(out, journal)
        write_reports(out, load(out), journal)


def decided_before(out: Path, name: str) -> list[str]:
    """Return a line on each decision about a student's mark, with who decided."""
    what = {
        "check": "{0.check} {0.points:+g}",
        "score": "{0.points:g}",
        "mark": "{0.check}, by its criteria",
    }
    return [
        f"{visible(each.who)} decided: {visible(what.get(each.action, each.action).format(each))}"
        + (f" ({visible(each.reason or each.comment)})" if each.reason or each.comment else "")
        for each in decisions(out).get(name, ())
    ]
