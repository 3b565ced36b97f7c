"""The class folder of a course: each student's attempt that counts, in the layout of ``grader batch``.

So the class page, grades.csv, and all commands for a folder of results work without changes. The folder is
updated from the attempts, whose own results are never modified: first the files and the journal, then
lateness and the decisions of staff, then the reports. Students see none of these files, which may be of one
attempt while another still counts: at the end, the mark, the attempt that counts and its results are
published in one transaction. The database keeps a flag for each person whose mark may have changed, and
which ledger the last update has seen, until all that is done, so an interrupted update is repeated.

Reports of a large class take seconds: so a process beside the dispatcher makes them, which works at most a
fifth of the time, and with a lower priority than the workers that grade.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from tempfile import TemporaryDirectory
from typing import Final

from grader.batch.job import Course
from grader.batch.journal import Journal, JournalRow, Status
from grader.batch.lock import Busy, hold
from grader.batch.marks.ledger import LEDGER
from grader.batch.orchestrator import FAULT_KEY, make_fault_result
from grader.batch.report.class_facts import SERVED, collect_facts
from grader.batch.report.update import update_reports
from grader.batch.worker import die_with_parent, parent_pid
from grader.disk import writing
from grader.errors import GraderError
from grader.exports.result_files import marked_unfinished
from grader.grading.pipeline import FEEDBACK, RESULTS, STAFF, STAFF_PAGE
from grader.intake.class_listing import ClassListing, HandIn
from grader.results import parse
from grader.serve.attempt_rules import choose_attempt, lateness_of_attempt, local_time
from grader.serve.data_folder import DataFolder
from grader.serve.store import attempts, marks, outbox, people, settings
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.marks import PersonMark
from grader.serve.store.people import Person

CODE_FILE: Final = "code.txt"
"""The student's code is kept in this file beside the results of an attempt, to be compared with others'."""
_LEAST_PAUSE_SECONDS: Final = 1.0
"""There is at least 1 second between two updates."""
_PAUSE_FACTOR: Final = 4.0
"""The pause after an update is 4 times as long as the update."""
_NICE: Final = 5
"""The niceness of the process is raised by 5."""
_LAST_SECONDS: Final = 60.0
"""The last update gets 60 seconds when the service ends."""


@dataclass(frozen=True, slots=True)
class _ClassEntry:
    """A student's entry in the class: the attempt that counts, or one that ended with a machine fault."""

    person: Person
    attempt: Attempt
    deadline: float | None


def update_class_folder(data: DataFolder, store: Store, id_: str, course: Course, now: float) -> None:
    """Update the class folder from the attempts. Raises Busy if another process holds its lock."""
    changed, folder = set(marks.list_flagged_people(store, id_)), data.course(id_)
    ledger, is_decided = ledger_stamp(data, id_), has_new_decisions(data, store, id_)
    with writing(folder):
        folder.mkdir(exist_ok=True)
    with hold(folder), Journal(folder) as journal:
        with marked_unfinished(folder):
            counted = _list_entries(store, id_, course)
            known = journal.entries()
            for each in counted.values():
                if not _is_recorded(journal, known.get(each.person.folder), each):
                    _record(data, journal, each, course)
            _report(data, store, id_, course, journal, counted)
        for person in changed.union(counted if is_decided else ()):
            _publish_mark(data, store, person, counted.get(person), course, now)
    settings.put(store, f"ledger {id_}", ledger)


def has_new_decisions(data: DataFolder, store: Store, id_: str) -> bool:
    """Tell whether staff, or a command, decided about marks since the last update."""
    return ledger_stamp(data, id_) != settings.get(store, f"ledger {id_}")


def ledger_stamp(data: DataFolder, id_: str) -> str:
    """Return what differs after each change of the ledger of a course; empty if there is none."""
    try:
        found = (data.course(id_) / LEDGER).stat()
    except FileNotFoundError:
        return ""
    return f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"


def _list_entries(store: Store, id_: str, course: Course) -> dict[int, _ClassEntry]:
    """Return the entry of each student who has one, by the student's number."""
    own, by_person = marks.deadlines_by_person(store, id_), dict[int, list[Attempt]]()
    for attempt in attempts.list_for_course(store, id_):
        by_person.setdefault(attempt.person, []).append(attempt)
    found = {}
    for person in people.list_for_course(store, id_):
        known, deadline = by_person.get(person.id, []), own.get(person.id)
        chosen = choose_attempt(course.plan.rubric, known, deadline) or _last_fault(known)
        if chosen is not None and not person.is_staff:
            found[person.id] = _ClassEntry(person, chosen, deadline)
    return found


def _last_fault(known: list[Attempt]) -> Attempt | None:
    return max((each for each in known if each.state == "fault"), key=lambda each: each.number, default=None)


def _list_missing_people(store: Store, id_: str, counted: Mapping[int, _ClassEntry]) -> list[str]:
    everybody = people.list_for_course(store, id_)
    return [each.name for each in everybody if not each.is_staff and each.id not in counted]


def _is_recorded(journal: Journal, known: JournalRow | None, each: _ClassEntry) -> bool:
    """Tell whether the class folder already contains the files of an attempt."""
    attempt = each.attempt
    seconds = attempt.seconds or 0.0 if attempt.has_result else 0.0
    asked = attempt.result_key or FAULT_KEY, attempt.reason, seconds  # graded again, it takes other seconds
    return (
        known is not None and (known.key, known.reason, known.seconds) == asked and journal.intact(known.name)
    )


def _record(data: DataFolder, journal: Journal, each: _ClassEntry, course: Course) -> None:
    """Copy the files of an attempt to the class folder."""
    name, attempt = each.person.folder, each.attempt
    key = attempt.result_key or FAULT_KEY
    if not attempt.has_result:
        results, page = make_fault_result(name, attempt.reason, course)
        journal.record(JournalRow(name, FAULT_KEY, "fault", 0.0, attempt.reason), results, page)
        return
    files = {path.name: path.read_bytes() for path in data.attempt(attempt.id).iterdir()}
    status: Status = "refused" if attempt.state == "refused" else "graded"
    staff = {name: content for name, content in files.items() if name in (STAFF, STAFF_PAGE)}
    entry = JournalRow(name, key, status, attempt.seconds or 0.0, attempt.reason)
    journal.record(
        entry, files[RESULTS], files[FEEDBACK], files.get(CODE_FILE, b""), staff, finished=attempt.ended
    )


def _report(
    data: DataFolder,
    store: Store,
    id_: str,
    course: Course,
    journal: Journal,
    counted: Mapping[int, _ClassEntry],
) -> None:
    policy = course.plan.rubric.late
    lates = {
        each.person.folder: lateness_of_attempt(policy, each.attempt, each.deadline)
        for each in counted.values()
    }
    hand_ins = tuple(_hand_in(data, course, each) for each in counted.values())
    rubric = str(course.plan.rubric.path.resolve())
    asked = {SERVED: "yes", "rubric": rubric, "sandbox": course.sandbox, "language": course.language}
    times = attempts.list_first_passes(store, id_)
    named = {each.person.folder: times[person] for person, each in counted.items() if person in times}
    facts = collect_facts(ClassListing("", hand_ins, ()), course, asked, first_passes=named)
    update_reports(data.course(id_), facts, journal, lates, _list_missing_people(store, id_, counted))


def _hand_in(data: DataFolder, course: Course, each: _ClassEntry) -> HandIn:
    person, attempt = each.person, each.attempt
    return HandIn(
        person.folder,
        (data.upload(attempt.id),),
        student=person.name,
        id=person.email or (person.external if person.origin == "invite" else ""),
        submitted=local_time(course.plan.rubric.late, attempt.at),
    )


def _publish_mark(
    data: DataFolder, store: Store, person: int, counted: _ClassEntry | None, course: Course, now: float
) -> None:
    """Publish the mark of a student; clear the student's flag unless something has changed since."""
    standing, content = None, b""
    if counted is not None and counted.attempt.has_result:
        content = (data.course(counted.person.course) / counted.person.folder / RESULTS).read_bytes()
        results = parse(content)
        standing = PersonMark(counted.attempt.id, results["score"], results["max_score"])
    with store.transaction():
        marks.put(store, person, standing, content)
        outbox.add(store, person, now)
        known, deadline = attempts.list_for_person(store, person), marks.own_deadline(store, person)
        latest = choose_attempt(course.plan.rubric, known, deadline) or _last_fault(known)
        if _is_same_result(latest, counted.attempt if counted else None) and (
            counted is None or counted.deadline == deadline
        ):
            store.rows("update people set changed = 0 where id = ?", (person,))


def _is_same_result(one: Attempt | None, other: Attempt | None) -> bool:
    """Tell whether two values are the same attempt with the same result."""
    if one is None or other is None:
        return one is other
    return (one.id, one.result_key, one.reason) == (other.id, other.result_key, other.reason)


class ClassFolderUpdater:
    """Starts a process that updates the class folders, at most one at a time."""

    def __init__(self, data: DataFolder, store: Store, courses: Mapping[str, Course]) -> None:
        self._data, self._store, self._courses = data, store, courses
        self._process: BaseProcess | None = None
        self._started = self._rests_until = float("-inf")
        self._cache = TemporaryDirectory(prefix="maze-grader-")
        """Of matplotlib, which without a home makes a folder in each process and leaves those of forks."""

    def tick(self) -> None:
        """Start an update if one is needed, none is running, and the pause is over."""
        now = time.monotonic()
        if self._process is not None and not self._process.is_alive():
            self._process.join()
            self._process = None
            self._rests_until = now + max(_LEAST_PAUSE_SECONDS, _PAUSE_FACTOR * (now - self._started))
        if self._process is None and now >= self._rests_until and self.outdated_courses():
            self._start(now)

    def outdated_courses(self) -> list[str]:
        """Return the courses whose folders are out of date."""
        return [
            course
            for course in self._courses
            if marks.list_flagged_people(self._store, course)
            or has_new_decisions(self._data, self._store, course)
        ]

    def close(self) -> None:
        """Wait for a running update, then run a last one if it is needed."""
        if self._process is not None:
            self._process.join(_LAST_SECONDS)
        if self.outdated_courses():
            self._start(time.monotonic())
        if self._process is not None:
            self._process.join(_LAST_SECONDS)
            self._process.kill()
            self._process.join()
        self._cache.cleanup()

    def _start(self, now: float) -> None:
        """Fork the process, after closing the database: an SQLite connection must not be carried over a
        fork."""
        courses = {course: self._courses[course] for course in self.outdated_courses()}
        self._store.close()
        given = self._data, courses, self._cache.name
        self._process = get_context("fork").Process(target=_update_apart, args=given)
        self._process.start()
        self._started = now


def _update_apart(data: DataFolder, courses: Mapping[str, Course], cache: str) -> None:
    """Update the class folders of these courses: the main function of the process."""
    os.environ.setdefault("MPLCONFIGDIR", cache)
    _update_folders(data, courses)


def _update_folders(data: DataFolder, courses: Mapping[str, Course]) -> None:
    """Update the class folders of these courses."""
    die_with_parent(parent_pid())
    for asking in (signal.SIGINT, signal.SIGHUP):  # a terminal sends them to all; the service decides
        signal.signal(asking, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.nice(_NICE)
    store = Store(data.database)
    for id_, course in courses.items():
        try:
            update_class_folder(data, store, id_, course, time.time())
        except Busy:
            continue  # somebody decides about a mark: the next round comes soon
        except GraderError as error:
            print(f"grader: the class folder of {id_}: {error}", file=sys.stderr, flush=True)
    store.close()
