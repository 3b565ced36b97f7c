"""The class folder of a course: what counts of each student, as ``grader batch`` keeps it.

So the class page, grades.csv, and all commands about a folder of results work as they are. It is brought up
to date from the attempts, whose results stay as they are: first the files and the journal, then lateness
and what staff decided, then the reports, and last of all the marks that the pages of the service tell.
Whose marks may be others is noted in the database until that is done, so it is done again where it was
broken off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from grader.batch.fault_result import make_fault_result
from grader.batch.job import Course
from grader.batch.journal import Journal, JournalRow, Status
from grader.batch.lock import hold
from grader.batch.orchestrator import FAULT_KEY
from grader.batch.report.class_facts import SERVED, collect_facts
from grader.batch.report.update import update_reports
from grader.disk import writing
from grader.exports.unfinished import unfinished
from grader.grading.pipeline import FEEDBACK, RESULTS, STAFF, STAFF_PAGE
from grader.intake.class_listing import ClassListing, HandIn
from grader.results import read
from grader.serve.choosing import choose, late, moment
from grader.serve.data import Data
from grader.serve.store import attempts, counting, extensions, outbox, people
from grader.serve.store.attempts import Attempt
from grader.serve.store.counting import PersonMark
from grader.serve.store.database import Store
from grader.serve.store.people import Person

CODE: Final = "code.txt"
"""The student's code, beside the results of an attempt, to be compared with others'."""


@dataclass(frozen=True, slots=True)
class _Counted:
    """What stands for a student in the class: the attempt that counts, or one that the machine failed on."""

    person: Person
    attempt: Attempt
    deadline: float | None


def bring_up_to_date(data: Data, store: Store, id_: str, course: Course, now: float) -> None:
    """Have the class folder say what the attempts do. Raises Busy where somebody else is at work there."""
    changed, folder = set(counting.changed(store, id_)), data.course(id_)
    with writing(folder):
        folder.mkdir(exist_ok=True)
    with hold(folder), Journal(folder) as journal:
        with unfinished(folder):
            counted = _counted(store, id_, course)
            known = journal.entries()
            for each in counted.values():
                if not _is_there(journal, known.get(each.person.folder), each):
                    _record(data, journal, each, course)
            _report(data, id_, course, journal, counted, _missing(store, id_, counted))
        for person in changed:
            _tell(data, store, person, counted.get(person), course, now)


def _counted(store: Store, id_: str, course: Course) -> dict[int, _Counted]:
    """What stands for each student, by the student's number."""
    own, by_person = extensions.of_course(store, id_), dict[int, list[Attempt]]()
    for attempt in attempts.of_course(store, id_):
        by_person.setdefault(attempt.person, []).append(attempt)
    found = {}
    for person in people.of_course(store, id_):
        known, deadline = by_person.get(person.id, []), own.get(person.id)
        chosen = choose(course.plan.rubric, known, deadline) or _last_fault(known)
        if chosen is not None and not person.is_staff:
            found[person.id] = _Counted(person, chosen, deadline)
    return found


def _last_fault(known: list[Attempt]) -> Attempt | None:
    return max((each for each in known if each.state == "fault"), key=lambda each: each.number, default=None)


def _missing(store: Store, id_: str, counted: Mapping[int, _Counted]) -> list[str]:
    everybody = people.of_course(store, id_)
    return [each.name for each in everybody if not each.is_staff and each.id not in counted]


def _is_there(journal: Journal, known: JournalRow | None, each: _Counted) -> bool:
    """Whether the class has the files of an attempt already."""
    attempt = each.attempt
    seconds = attempt.seconds or 0.0 if attempt.has_result else 0.0
    asked = attempt.result_key or FAULT_KEY, attempt.reason, seconds  # graded again, it takes other seconds
    return (
        known is not None and (known.key, known.reason, known.seconds) == asked and journal.intact(known.name)
    )


def _record(data: Data, journal: Journal, each: _Counted, course: Course) -> None:
    """Put the files of an attempt where the class has them."""
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
        entry, files[RESULTS], files[FEEDBACK], files.get(CODE, b""), staff, finished=attempt.ended
    )


def _report(
    data: Data,
    id_: str,
    course: Course,
    journal: Journal,
    counted: Mapping[int, _Counted],
    missing: list[str],
) -> None:
    policy = course.plan.rubric.late
    lates = {each.person.folder: late(policy, each.attempt, each.deadline) for each in counted.values()}
    hand_ins = tuple(_hand_in(data, course, each) for each in counted.values())
    rubric = str(course.plan.rubric.path.resolve())
    asked = {SERVED: "yes", "rubric": rubric, "sandbox": course.sandbox, "language": course.language}
    facts = collect_facts(ClassListing("", hand_ins, ()), course, asked)
    update_reports(data.course(id_), facts, journal, lates, missing)


def _hand_in(data: Data, course: Course, each: _Counted) -> HandIn:
    person, attempt = each.person, each.attempt
    return HandIn(
        person.folder,
        (data.upload(attempt.id),),
        student=person.name,
        id=person.email or (person.external if person.origin == "invite" else ""),
        submitted=moment(course.plan.rubric.late, attempt.at),
    )


def _tell(
    data: Data, store: Store, person: int, counted: _Counted | None, course: Course, now: float
) -> None:
    """Tell the mark of a student, who is up to date then where nothing has changed meanwhile."""
    standing = None
    if counted is not None and counted.attempt.has_result:
        results = read(data.course(counted.person.course) / counted.person.folder / RESULTS)
        standing = PersonMark(counted.attempt.id, results["score"], results["max_score"])
    with store.transaction():
        counting.put(store, person, standing)
        outbox.add(store, person, now)
        known, deadline = attempts.of_person(store, person), extensions.get(store, person)
        latest = choose(course.plan.rubric, known, deadline) or _last_fault(known)
        if _same(latest, counted.attempt if counted else None) and (
            counted is None or counted.deadline == deadline
        ):
            store.rows("update people set changed = 0 where id = ?", (person,))


def _same(one: Attempt | None, other: Attempt | None) -> bool:
    """Whether two attempts are one, with the same result."""
    if one is None or other is None:
        return one is other
    return (one.id, one.result_key, one.reason) == (other.id, other.result_key, other.reason)
