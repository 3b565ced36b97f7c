"""A folder of results as programs use it: its marks, its pages, what people decide, and its exports.

``grader batch`` and ``grade_class`` write such a folder from a folder of submissions. ``grader serve`` keeps
one for each course, of the attempts that count: ``update`` brings it up to date, first the files and the
journal, then lateness and the decisions of staff, then the reports. What is there already is not written
again, so an update that was interrupted is repeated.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from grader.batch import decisions, ledger, marking_desk
from grader.batch.answers import answer_request, decided_before
from grader.batch.class_run import RESERVED
from grader.batch.decisions import MarkChange
from grader.batch.job import CODE_FILE, Course, work_in
from grader.batch.journal import FILE, Journal, JournalRow
from grader.batch.ledger import LEDGER
from grader.batch.line_comments import comments_on, with_line_comments
from grader.batch.marking_desk import AnswerToMark, Mark, Question
from grader.batch.marks import with_layers
from grader.batch.open_results import remove_submission
from grader.batch.orchestrator import FAULT_KEY, make_fault_result
from grader.batch.report.class_facts import FILE as FACTS
from grader.batch.report.class_facts import NAMES as PLOTS
from grader.batch.report.class_facts import SERVED, collect_facts, save
from grader.batch.report.class_page import PAGE, update_reports
from grader.batch.report.rows import BY_PERSONS, KINDS, PROPOSALS
from grader.batch.requests import (
    SHORT,
    Answer,
    LookRequest,
    NewRequest,
    Requests,
    load_requests,
    open_request,
    refused,
    reply,
    requests_now,
    take_back,
)
from grader.batch.review import review
from grader.batch.shares import Shares, read_shares, share_out
from grader.batch.submission_report import Report, ResultFolder, read_page_file
from grader.batch.taken_items import give_back, take_item, taken_items
from grader.batch.write_comments import LineComment, SeenWork, comment_line, read_choices
from grader.course.rules import CourseRules
from grader.disk import hold, writing
from grader.exports.grades_csv import ITEMS, list_class_results, marked_unfinished, open_kinds
from grader.exports.grades_csv import NAME as TABLE
from grader.exports.registry import EXPORTS, ExportRequest
from grader.grading.engine import FEEDBACK, RESULTS, STAFF, STAFF_PAGE
from grader.intake.class_listing import ClassListing, HandIn
from grader.intake.names import collision_key, safe_name
from grader.model import CommentJson, LateJson
from grader.platforms import NAMES as PLATFORMS
from grader.results import Changes, parse, read


@dataclass(frozen=True, slots=True)
class ClassEntry:
    """What a class folder shows of a student: one attempt, or one that the machine failed on."""

    name: str
    """The name of the student's folder."""
    student: str
    id: str
    upload: Path
    submitted: datetime
    late: LateJson | None
    result: ResultFolder | None
    """Where the files of the result are; None if the machine failed."""
    key: str = FAULT_KEY
    """A digest of all that the result depends on."""
    is_refused: bool = False
    seconds: float = 0.0
    reason: str = ""
    ended: float | None = None
    first_passes: dict[str, float | None] | None = None
    """By exercise, the seconds from the student's first attempt to one that passed, or None; None where they
    are not known."""


@dataclass(frozen=True, slots=True)
class ClassFolder:
    """The folder with the results of a class."""

    path: Path

    PLATFORMS: ClassVar = PLATFORMS
    """The learning platforms for which there are exports."""
    EXPORTS: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys((TABLE, *PLATFORMS), ".csv"),
        "feedback": ".zip",
        "junit": ".xml",
    }
    """The suffixes of the exports that ``export`` makes, by their names."""
    DOWNLOADS: ClassVar = (TABLE, *PLOTS)
    """The tables and plots beside the class page."""
    KINDS: ClassVar = KINDS
    """What each kind of review item asks."""
    PROPOSALS: ClassVar = PROPOSALS
    """What to do about each kind of review item."""
    BY_PERSONS: ClassVar = BY_PERSONS
    """The kinds that are answered by marking."""

    # --- what is in it

    @property
    def has_page(self) -> bool:
        """Whether the class page was written."""
        return (self.path / PAGE).is_file()

    @property
    def has_table(self) -> bool:
        """Whether the table of marks was written."""
        return (self.path / TABLE).is_file()

    def result(self, name: str) -> ResultFolder:
        """Return the folder of a submission's result."""
        return ResultFolder(self.path / name)

    def reports(self) -> dict[str, Report]:
        """Return the reports on all submissions of the class by their names. Raises InputError."""
        return {name: Report.read(path.parent) for name, path in list_class_results(self.path).items()}

    def marks(self) -> dict[str, float | None]:
        """Return the marks by submission; None where there is none. Raises InputError."""
        return {name: report.mark for name, report in self.reports().items()}

    def read_page(self, name: str) -> bytes:
        """Return a page of the folder. Raises OSError, also for what is no regular file."""
        return read_page_file(self.path / name)

    # --- what people decide

    def stamp(self) -> str:
        """Return what differs after each decision; empty if nobody has decided anything."""
        try:
            found = (self.path / LEDGER).stat()
        except FileNotFoundError:
            return ""
        return f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"

    def items(self) -> list[dict[str, Any]]:
        """Return the review items: "kind", "text" and more; "when" is empty while one is open."""
        path = self.path / ITEMS
        return list(json.loads(path.read_bytes())) if path.is_file() else []

    def open_kinds(self) -> dict[str, tuple[str, ...]]:
        """Return the kinds of open items by submission. Raises InputError."""
        return open_kinds(self.path)

    def close_item(self, item: str, who: str) -> None:
        """Close a review item, which somebody has looked at. Raises InputError or Busy."""
        review(self.path, [item], [], who)

    def reopen_item(self, item: str, who: str) -> None:
        """Open a review item again. Raises InputError or Busy."""
        review(self.path, [], [item], who)

    def adjust(self, name: str, change: MarkChange) -> str:
        """Change a mark as ``grader adjust`` does; return it before and after. Raises InputError or Busy."""

        def tell(changes: Changes, _: int) -> str:
            return f"{name}: {' -> '.join(changes[name])}"

        return decisions.adjust_mark(self.path, name, change, tell=tell)

    # --- requests for another look

    def requests(self, name: str = "") -> list[LookRequest]:
        """Return the requests of a student, or of all, as they stand now, oldest first. Raises InputError."""
        if not (self.path / FILE).is_file():
            return []
        with Journal(self.path) as journal:
            found = requests_now(load_requests(self.path), journal.entries())
        return sorted((each for each in found if name in ("", each.submission)), key=lambda each: each.when)

    def ask(  # noqa: PLR0913 - what a request is made of
        self, name: str, check: str, words: str, who: str, *, work: str, at: datetime, until: datetime
    ) -> LookRequest:
        """Open a student's request about a check of the attempt with this work. Raises RequestRefused."""
        asked = NewRequest(name, check, words, who, work, at, until)
        if (terms := Requests.load(self.path).terms) is None:
            raise refused("off")
        with Journal(self.path) as journal:
            entry = journal.entries().get(asked.name)
        if entry is None:
            raise refused("attempt", attempt=asked.attempt[:SHORT] or "–", counts="–")
        results = read(self.path / asked.name / RESULTS)
        return open_request(self.path, asked, terms, results, work_in(entry.key))

    def reply(self, request: LookRequest, words: str, who: str) -> None:
        """Add what a student has to say once more. Raises RequestRefused."""
        reply(self.path, request.submission, request.check, request.work, words, who)

    def take_back(self, request: LookRequest, who: str) -> None:
        """Take a request back. Raises RequestRefused."""
        take_back(self.path, request.submission, request.check, request.work, who)

    def answer(
        self, request: LookRequest, answer: Answer, who: str, words: str, points: float | None = None
    ) -> str:
        """Answer a request, with points more or less or without; return what changed.

        Raises InputError or Busy.
        """
        change = None
        if points is not None:
            change = MarkChange("check", who, words, check=request.check, points=points, item=request.id)
        name, check = request.submission, request.check
        return answer_request(self.path, name, check, answer, who, words, change).replace("\n", "; ")

    def decided_before(self, name: str) -> list[str]:
        """Return a line on each decision about a student's mark, with who decided. Raises InputError."""
        return decided_before(self.path, name)

    # --- comments at lines

    def comment_line(
        self, name: str, asked: LineComment, result: ResultFolder, key: str, attempt: int
    ) -> str:
        """Write, change or take back a comment at a line of an attempt, as ``grader comment`` does.

        ``key`` is the one that the attempt's result has. Returns a line on it. Raises InputError or Busy.
        """
        seen = SeenWork(result.kept_code(), work_in(key), attempt)
        return comment_line(self.path, name, asked, self.comment_choices(), seen=seen)

    def comment_choices(self) -> dict[str, str]:
        """Return texts for comments by short keys, as the course has them. Raises InputError."""
        return read_choices(self.path) if (self.path / FACTS).is_file() else {}

    def line_comments(self, name: str, key: str) -> list[CommentJson]:
        """Return the comments at lines of an attempt. Raises InputError."""
        return comments_on(work_in(key), ledger.line_comments(self.path).get(name, ()))

    def with_line_comments(self, report: Report, name: str, key: str) -> Report:
        """Return the report on an attempt with the comments at its lines. Raises InputError."""
        found = ledger.line_comments(self.path).get(name, ())
        return replace(report, data=with_line_comments(report.data, found, work_in(key)))

    # --- who has which review item open

    def shares(self) -> Shares:
        """Return whose share which work is. Raises InputError."""
        return read_shares(self.path)

    def share_out(self, names: Sequence[str], by: str) -> str:
        """Share the work out by lot; return who has how much. Raises InputError or Busy."""
        return share_out(self.path, names, by)

    def take_item(self, item: str, who: str) -> str:
        """Take a review item for ten minutes; return who has it, or nothing if there is no such item."""
        found = next((each for each in self.items() if each["id"] == item), None)
        if found is None:
            return ""
        return take_item(self.path, item, [found["submission"], *found["others"]], who)

    def give_back(self, item: str, who: str) -> None:
        """Let others have a review item."""
        give_back(self.path, [item], who)

    def taken_items(self) -> dict[str, str]:
        """Return who has which review item open."""
        return taken_items(self.path)

    # --- what persons mark

    def questions(self, who: str) -> list[Question]:
        """Return the questions with answers that this person may mark. Raises InputError or Busy."""
        return marking_desk.questions(self.path, who)

    def take_answer(self, item: str, who: str) -> AnswerToMark:
        """Take an answer that waits to be marked; return it without its name. Raises InputError or Busy."""
        marking_desk.take_answer(self.path, item, who)
        return marking_desk.answer_of(self.path, item)

    def mark(self, item: str, who: str, met: Sequence[int], more: float = 0.0, reason: str = "") -> None:
        """Mark an answer by the criteria of these numbers, from 1, and by points beside them.

        Raises InputError or Busy.
        """
        criteria = marking_desk.answer_of(self.path, item).criteria
        texts = tuple(each["text"] for number, each in enumerate(criteria, 1) if number in met)
        marking_desk.mark_answer(self.path, item, Mark(who, texts, more, reason))

    def take_back_mark(self, who: str) -> None:
        """Take back what this person marked last. Raises InputError or Busy."""
        marking_desk.take_back(self.path, who)

    def preview(self, entries: Sequence[ClassEntry]) -> dict[str, Report]:
        """Return the reports that these entries would have here, by their names: with lateness, and with what
        people decided. Raises InputError or OSError."""
        known, withdrawn, found = ledger.decisions(self.path), ledger.withdrawals(self.path), {}
        comments = ledger.line_comments(self.path)
        for each in entries:
            if each.result is not None:
                results, work = parse(each.result.read_results()), work_in(each.key)
                decided = known.get(each.name, ())
                made = with_layers(results, each.late, decided, withdrawn, work)
                found[each.name] = Report(with_line_comments(made, comments.get(each.name, ()), work))
        return found

    def forget(self, name: str, words: Collection[str]) -> list[str]:
        """Remove a student from a folder that is held, as ``grader forget`` does; return what is left.

        ``words`` are the names and numbers to search for. Raises InputError.
        """
        return remove_submission(self.path, name, words)

    # --- exports

    def export(
        self,
        what: str,
        course: CourseRules,
        gradebook: tuple[str, bytes] | None = None,
        assignment: str | None = None,
        *,
        zero: bool = False,
        anyway: bool = False,
    ) -> bytes:
        """Return an export, such as "moodle", "feedback", "junit", or "grades.csv".

        ``gradebook`` is that of the platform, by name and content; ``zero`` writes 0 for refused work, whose
        cell stays as it is otherwise; ``anyway`` writes marks about which something is open. Raises
        InputError.
        """
        if what == TABLE:
            return (self.path / TABLE).read_bytes()
        is_platform = what in PLATFORMS
        with TemporaryDirectory(prefix="maze-grader-") as made:
            out = Path(made, f"out{self.EXPORTS[what]}")
            name, content = gradebook or ("", b"")
            book = Path(made, f"gradebook{Path(name).suffix[:6]}")
            book.write_bytes(content)
            request = ExportRequest(
                what=what,
                out=out,
                results=self.path,
                gradebook=book if is_platform and content else None,
                assignment=assignment if is_platform else None,
                groups=None,
                students=None,
                key=None,
                refused="zero" if zero else "blank",
                anyway=anyway,
                dry_run=False,
                rubric=lambda: course.rubric,
            )
            EXPORTS[what](request)
            return out.read_bytes()

    # --- a class that is kept by a program

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder, which is made if it is missing. Raises Busy if another process has it."""
        with writing(self.path):
            self.path.mkdir(exist_ok=True)
        with hold(self.path):
            yield

    def update(self, course: Course, entries: Sequence[ClassEntry], missing: Sequence[str]) -> None:
        """Bring a folder that is held up to date: it shows these entries, and who handed in nothing."""
        with Journal(self.path) as journal, marked_unfinished(self.path):
            known = journal.entries()
            for each in entries:
                if not _is_recorded(journal, known.get(each.name), each):
                    _record(journal, each, course)
            rubric = str(course.path.resolve())
            asked = {SERVED: "yes", "rubric": rubric, "sandbox": course.sandbox, "language": course.language}
            passes = {each.name: each.first_passes for each in entries if each.first_passes is not None}
            listing = ClassListing("", tuple(map(_hand_in, entries)), ())
            facts = collect_facts(listing, course, asked, first_passes=passes)
            save(self.path, facts)
            lates = {each.name: each.late for each in entries}
            update_reports(self.path, facts, journal, lates, missing)


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return a safe name for the folder of a student that none of the others, and no report, has."""
    keys, safe = {collision_key(name) for name in (*RESERVED, *taken)}, safe_name(wanted)
    names = (safe if number == 1 else f"{safe}-{number}" for number in range(1, len(keys) + 2))
    return next(name for name in names if collision_key(name) not in keys)


def _is_recorded(journal: Journal, known: JournalRow | None, each: ClassEntry) -> bool:
    """Tell whether the folder already has the files of an entry; graded again, it takes other seconds."""
    asked = each.key, each.reason, each.seconds
    return (
        known is not None and (known.key, known.reason, known.seconds) == asked and journal.intact(known.name)
    )


def _record(journal: Journal, each: ClassEntry, course: Course) -> None:
    """Copy the files of a result to the folder."""
    if each.result is None:
        results, page = make_fault_result(each.name, each.reason, course)
        journal.record(JournalRow(each.name, FAULT_KEY, "fault", 0.0, each.reason), results, page)
        return
    files = {path.name: path.read_bytes() for path in each.result.path.iterdir()}
    staff = {name: content for name, content in files.items() if name in (STAFF, STAFF_PAGE)}
    entry = JournalRow(
        each.name, each.key, "refused" if each.is_refused else "graded", each.seconds, each.reason
    )
    code = files.get(CODE_FILE, b"")
    journal.record(entry, files[RESULTS], files[FEEDBACK], code, staff, finished=each.ended)


def _hand_in(each: ClassEntry) -> HandIn:
    return HandIn(each.name, (each.upload,), each.student, each.id, submitted=each.submitted)
