"""Write comments at lines of a student's code into the ledger, change them, and take them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from grader.batch.job import COMMENTS, work_in
from grader.batch.journal import Journal
from grader.batch.ledger import Decision, append_made, commented, line_comments
from grader.batch.line_comments import MOST_CHARACTERS, find_line, read_comment
from grader.batch.marks import update_marks
from grader.batch.open_results import TAKEN_IN, find_submission, open_beside
from grader.batch.report.class_facts import load
from grader.batch.report.class_page import write_reports
from grader.batch.report.rows import attempts_told
from grader.course.yaml_source import read_yaml
from grader.errors import InputError
from grader.exports.grades_csv import marked_unfinished
from grader.grading.engine import RESULTS
from grader.results import read
from grader.text import visible


def read_comments(path: Path) -> dict[str, str]:
    """Read a library of comments: texts by short keys. Raises InputError with line and column."""
    entries = read_yaml(path, error=InputError).entries()
    return {key.text(most=40): value.text(most=MOST_CHARACTERS) for key, value in entries}


def read_choices(out: Path) -> dict[str, str]:
    """Read the library of the results, or the one beside the course's rubric; empty without one.

    Raises InputError with line and column.
    """
    rubric = load(out).asked.get("rubric")
    folders = (out, *([Path(rubric).parent] if rubric else []))
    path = next((path for folder in folders if (path := folder / COMMENTS).is_file()), None)
    return read_comments(path) if path else {}


@dataclass(frozen=True, slots=True)
class LineComment:
    """What a person asks for: a comment at a line, another text or place for one, or to take one back."""

    by: str
    place: str = ""
    """The line, as ``FILE:LINE``; empty to leave a comment where it is."""
    text: str = ""
    """The text; empty to leave it as it is."""
    number: int = 0
    """The number of the comment to change or take back; 0 for a new one."""
    is_removed: bool = False


@dataclass(frozen=True, slots=True)
class SeenWork:
    """The work that a person saw."""

    code: bytes
    """Its code, as it is kept."""
    work: str
    """Its digest."""
    attempt: int
    """The number of the attempt; 0 if it is not known."""


def comment_line(
    out: Path,
    who: str,
    asked: LineComment,
    choices: Mapping[str, str],
    key: Path | None = None,
    seen: SeenWork | None = None,
) -> str:
    """Write a comment at a line of a submission's work, by default of what was graded; return a line on it.

    ``choices`` are texts by short keys; ``key`` names the students of results under pseudonyms. Raises
    InputError, and writes nothing then.
    """
    with open_beside(out) as (journal, is_beside):
        name = find_submission(out, who, journal.entries(), key)
        seen = seen or _graded_work(out, name, journal)

        def make(lines: Iterable[Decision]) -> Decision:
            return _made(name, [each for each in lines if each.submission == name], asked, choices, seen)

        made = append_made(out, make, is_beside=is_beside)
        if not is_beside:
            with marked_unfinished(out):
                if update_marks(out, journal):  # what an interrupted command had left
                    write_reports(out, load(out), journal)
    told = f"{visible(name)}: {_told(made)}"
    return f"{told}, {TAKEN_IN}" if is_beside else told


def list_line_comments(out: Path, who: str, key: Path | None = None) -> str:
    """Return the comments at lines of a submission, with their numbers. Raises InputError."""
    with open_beside(out) as (journal, _):
        entries = journal.entries()
        name = find_submission(out, who, entries, key)
        work = work_in(entries[name].key)
    found = line_comments(out).get(name, [])
    told = [_told(each) + ("" if each.work == work else ", on other work") for each in found]
    count = f"{len(found) or 'no'} comment{'s' * (len(found) != 1)} at lines"
    return "\n  ".join([f"{visible(name)}: {count}", *told])


def _graded_work(out: Path, name: str, journal: Journal) -> SeenWork:
    code = dict(journal.code([name])).get(name, b"")
    return SeenWork(code, work_in(journal.entries()[name].key), attempts_told(read(out / name / RESULTS)))


def _made(
    name: str,
    lines: Sequence[Decision],
    asked: LineComment,
    choices: Mapping[str, str],
    seen: SeenWork,
) -> Decision:
    """Return the line for the ledger after these lines about the same submission. Raises InputError."""
    now, known = datetime.now(UTC).isoformat(timespec="seconds"), commented(lines)
    if asked.number:
        before = next((each for each in known if each.number == asked.number), None)
        if before is None:
            there = ", ".join(str(each.number) for each in known) or "none"
            raise InputError(f"{visible(name)} has no comment {asked.number}; there are {there}")
    else:
        number = max((each.number for each in lines), default=0) + 1
        before = Decision(now, asked.by, name, "line-comment", 0.0, number=number)
    before = replace(before, when=now, who=asked.by)
    if asked.is_removed:
        return replace(before, action="no-line-comment")
    if asked.place or not asked.number:
        found = find_line(seen.code, asked.place)
        before = replace(
            before,
            file=found.file,
            line=found.line,
            source=found.source,
            digest=found.digest,
            work=seen.work,
            attempt=seen.attempt,
        )
    if asked.text or not asked.number:
        before = replace(before, comment=read_comment(asked.text, choices))
    for each in known:
        if _says(each) == _says(before):
            raise InputError(f"nothing would change: {visible(name)} has this already, as {_told(each)}")
    return before


def _says(comment: Decision) -> tuple[object, ...]:
    return comment.work, comment.file, comment.line, comment.comment


def _told(comment: Decision) -> str:
    """Return a comment on one line."""
    place = f"comment {comment.number} at {visible(comment.file)}:{comment.line}"
    if comment.action == "no-line-comment":
        return f"{place} was taken back"
    return f"{place}: {visible(comment.comment, one_line=True)} ({visible(comment.who)})"
