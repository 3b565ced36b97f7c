"""The dispatcher: takes jobs from the queue, gives them to workers, and stores the results with the class.

Theory of operation. It has one thread, as the orchestrator of a batch has, so it may fork workers. A running
job has a lease in the database, which is renewed while the worker is busy; the files of a result are on the
disk before its row says so. If the dispatcher is killed at any moment, either the result is stored, or the
job waits again: the next dispatcher holds the folder alone, and knows that all other leases are dead. A job
that fails with a machine fault is retried a little later, up to RETRIES times; then staff see the reason, and
the student loses nothing. If the fault is lasting, no job is given up: all wait until the machine works
again. An upload with several attempts in it is given up at once: its student chooses one, or hands in one.
If a clock decided a check, as happens on a busy machine, that is graded once more when the queue is empty.

The class folder of a course: each student's attempt that counts, in the layout of ``grader batch``.

So the class page, grades.csv, and all commands for a folder of results work without changes. The folder is
updated from the attempts, whose own results are never modified: first the files and the journal, then
lateness and the decisions of staff, then the reports. Students see none of these files, which may be of one
attempt while another still counts: at the end, the mark, the attempt that counts and its results are
published in one transaction. So is what came of a regrade of the course: the folder is updated as if it were
published, and then its results take the place of those that hold, those of all students at once. The database
keeps a flag for each person whose mark may have changed, and which ledger the last update has seen, until all
that is done, so an interrupted update is repeated.

Reports of a large class take seconds: so a process beside the dispatcher makes them, which works at most a
fifth of the time, and with a lower priority than the workers that grade.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from grader.api import (
    Answer,
    ClassEntry,
    ClassFolder,
    Course,
    CourseRules,
    Done,
    ExerciseDone,
    Job,
    MachineFault,
    Report,
    ResultFolder,
    Workers,
    die_with_parent,
)
from grader.disk import Busy
from grader.errors import DiskError, GraderError, InputError
from grader.serve import uploads
from grader.serve.data_folder import DataFolder
from grader.serve.store import attempts, credentials, marks, outbox, people, queue, regrades, settings, tries
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.marks import PersonMark
from grader.serve.store.people import Person
from grader.serve.store.queue import Outcome
from grader.serve.store.tries import CheckTry
from grader.serve.uploads import choose_attempt, upload_paths

_LEAST_PAUSE_SECONDS: Final = 1.0
"""There is at least 1 second between two updates."""
_PAUSE_FACTOR: Final = 4.0
"""The pause after an update is 4 times as long as the update."""
_NICE: Final = 5
"""The niceness of the process is raised by 5."""
_LAST_SECONDS: Final = 60.0
"""The last update gets 60 seconds when the service ends."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The attempt of a student that counts, or else the last that ended with a machine fault."""

    person: Person
    attempt: Attempt
    deadline: float | None


def update_class_folder(data: DataFolder, store: Store, id_: str, course: Course, now: float) -> None:
    """Update the class folder from the attempts. Raises Busy if another process holds its lock."""
    changed, folder, rules = set(marks.list_flagged_people(store, id_)), data.course(id_), course.rules
    ledger, is_decided = folder.stamp(), has_new_decisions(data, store, id_)
    publishes = id_ in regrades.list_publishing(store)
    with folder.held():
        counted = list_counted(store, id_, rules, of_regrade=publishes)
        passes = attempts.list_first_passes(store, id_)
        entries = [make_entry(data, rules, each, passes.get(person)) for person, each in counted.items()]
        everybody = people.list_for_course(store, id_)
        missing = [each.name for each in everybody if not each.is_staff and each.id not in counted]
        folder.update(course, entries, missing)
        asked = changed.union(counted if is_decided or publishes else ())
        standings = [(person, *_standing(folder, counted.get(person))) for person in asked]
        with store.transaction():
            if publishes:
                regrades.publish(store, id_)
            for person, standing, content in standings:
                marks.put(store, person, standing, content)
                _send_mark(store, person, counted.get(person), rules, now)
    settings.put(store, f"ledger {id_}", ledger)


def has_new_decisions(data: DataFolder, store: Store, id_: str) -> bool:
    """Tell whether staff, or a command, decided about marks since the last update."""
    return data.course(id_).stamp() != settings.get(store, f"ledger {id_}")


def list_counted(
    store: Store, id_: str, rules: CourseRules, *, of_regrade: bool = False
) -> dict[int, Counted]:
    """Return what counts of each student who has such an attempt, by the student's number.

    ``of_regrade`` takes it from what came of the regrade of the course.
    """
    own, by_person = marks.deadlines_by_person(store, id_), dict[int, list[Attempt]]()
    all_ = attempts.list_for_course(store, id_)
    for attempt in regrades.with_second(store, id_, all_) if of_regrade else all_:
        by_person.setdefault(attempt.person, []).append(attempt)
    found = {}
    for person in people.list_for_course(store, id_):
        known, deadline = by_person.get(person.id, []), own.get(person.id)
        chosen = _choose(rules, known, deadline)
        if chosen is not None and not person.is_staff:
            found[person.id] = Counted(person, chosen, deadline)
    return found


def _choose(rules: CourseRules, known: list[Attempt], deadline: float | None) -> Attempt | None:
    """Return the attempt that counts, or else the last one that ended with a machine fault."""
    faults = (each for each in known if each.state == "fault")
    return choose_attempt(rules, known, deadline) or max(faults, key=lambda each: each.number, default=None)


def make_entry(
    data: DataFolder, rules: CourseRules, each: Counted, first_passes: dict[str, float | None] | None = None
) -> ClassEntry:
    """Return what the class folder shows of a student."""
    person, attempt = each.person, each.attempt
    shown = ClassEntry(
        person.folder,
        student=person.name,
        id=person.email or (person.external if person.origin == "invite" else ""),
        upload=data.upload(attempt.id),
        submitted=rules.local_time(attempt.at),
        late=rules.lateness(attempt.at, each.deadline),
        result=None,
        reason=attempt.reason,
        first_passes=first_passes,
    )
    if attempt.result_key is None:
        return shown
    return replace(
        shown,
        result=ResultFolder(data.result(attempt)),
        key=attempt.result_key,
        is_refused=attempt.state == "refused",
        seconds=attempt.seconds or 0.0,
        ended=attempt.ended,
    )


def _standing(folder: ClassFolder, counted: Counted | None) -> tuple[PersonMark | None, bytes]:
    """Return the mark of a student, as the class folder has it, with the results that it is of."""
    if counted is None or not counted.attempt.has_result:
        return None, b""
    content = folder.result(counted.person.folder).read_results()
    report = Report.parse(content)
    found = (report.score, report.max_score, report.has_unmarked, report.points())
    return PersonMark(counted.attempt.id, *found), content


def _send_mark(store: Store, person: int, counted: Counted | None, rules: CourseRules, now: float) -> None:
    """Have the mark of a student sent; clear the student's flag unless something has changed since."""
    outbox.add(store, person, now)
    known, deadline = attempts.list_for_person(store, person), marks.own_deadline(store, person)
    latest = _choose(rules, known, deadline)
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
            or course in regrades.list_publishing(self._store)
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
        self._process = get_context("fork").Process(target=_update_folders, args=given)
        self._process.start()
        self._started = now


def _update_folders(data: DataFolder, courses: Mapping[str, Course], cache: str) -> None:
    """Update the class folders of these courses: the main function of the process."""
    os.environ.setdefault("MPLCONFIGDIR", cache)
    die_with_parent()
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


TICK_SECONDS: Final = 0.2
"""A step waits up to 0.2 seconds for workers to finish."""
RENEW_SECONDS: Final = queue.LEASE_SECONDS / 6
"""Leases are renewed every 10 seconds, a sixth of their length."""
ILL_SECONDS: Final = queue.LONGEST_REST_SECONDS
"""A job waits 30 seconds after a lasting fault of the machine, or if the disk is full."""
_LONGEST_REASON: Final = 500
"""At most 500 characters of the reason for a fault are stored."""


class _RunningJob(NamedTuple):
    """A job that a worker is running."""

    course: str
    job: Job
    attempt: Attempt


class _RunningTry(NamedTuple):
    """A try that a worker has begun, one at a time of each course."""

    course: str
    job: Job
    asked: CheckTry


class Dispatcher:
    """Runs jobs on workers; ``lanes`` are those of each course, and at most ``most`` jobs run at once."""

    def __init__(
        self,
        data: DataFolder,
        store: Store,
        lanes: Mapping[str, Workers],
        most: int,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.owner = credentials.new_secret()
        self._data, self._store, self._lanes, self._most, self._clock = data, store, lanes, most, clock
        self._running: dict[int, _RunningJob] = {}
        """The running jobs, by the job's identity, since a student may have two jobs of the same name."""
        self._trying: dict[int, _RunningTry] = {}
        """The running tries, likewise."""
        self._answers: deque[tuple[Attempt | CheckTry, Answer]] = deque()
        """The answers that are not stored yet; they stay here while the disk is full."""
        self._renewed = float("-inf")
        queue.release_others(store, self.owner)

    @property
    def is_idle(self) -> bool:
        """Tell whether no job is running and no answer waits to be stored."""
        return not self._running and not self._trying and not self._answers

    def step(self, *, takes: bool = True, seconds: float = TICK_SECONDS) -> None:
        """Give jobs to free workers if ``takes`` is true; store the results that arrive within ``seconds``.

        Raises DiskError; nothing is lost then, and the next step continues.
        """
        self._store_answers()
        now = self._clock()
        if now >= self._renewed + RENEW_SECONDS or now < self._renewed:
            queue.renew(self._store, self.owner, now)
            queue.release_expired(self._store, now)
            self._renewed = now
        while takes and self._start_try():
            pass
        while takes and (attempt := self._claim_next()) is not None:
            self._start(attempt)
        busy = {each.course for each in self._running.values()}
        busy |= {each.course for each in self._trying.values()}
        for course in busy:
            for job, answer in self._lanes[course].wait(seconds / len(busy)):
                tried = self._trying.pop(id(job), None)
                whose = tried.asked if tried else self._running.pop(id(job)).attempt
                self._answers.append((whose, answer))
        self._store_answers()
        if not busy:
            time.sleep(seconds)

    def record_exercise(self, course: str, job: Job, step: ExerciseDone) -> None:
        """Record that an exercise of a job has been graded."""
        found = self._running.get(id(job))
        if found is not None and found.course == course and not found.attempt.is_second:
            with suppress(DiskError):  # the result is reported in any case
                attempts.add_step(self._store, found.attempt.id, step, self._clock())

    def release(self) -> None:
        """Return all running jobs to the queue."""
        queue.release(self._store, self.owner)
        self._running.clear()
        self._trying.clear()

    def _store_answers(self) -> None:
        while self._answers:
            attempt, answer = self._answers[0]
            if isinstance(attempt, CheckTry):
                self._end_try(attempt, answer)
            elif isinstance(answer, Done):
                self._store_result(attempt, answer)
            elif isinstance(answer, MachineFault):
                self._retry(attempt, answer)
            self._answers.popleft()

    def _free_courses(self) -> list[str]:
        """Return the courses that have a worker for one more job."""
        if len(self._running) + len(self._trying) >= self._most:
            return []
        return [course for course, lane in self._lanes.items() if lane.free()]

    def _start_try(self) -> bool:
        """Begin a try of a course where none is at work; return False if none waits."""
        at_work = {each.course for each in self._trying.values()}
        found = tries.next_waiting(
            self._store, [each for each in self._free_courses() if each not in at_work]
        )
        if found is None:
            return False
        course, asked = found
        attempt = attempts.get(self._store, asked.attempt)
        person = people.get(self._store, attempt.person) if attempt else None
        if attempt is None or person is None:
            return False  # forgotten in this very moment, and the try with the attempt
        try:
            kept = ResultFolder(self._data.result(attempt))
            job = kept.to_try(person.folder, asked.check_id, asked.maze)
        except InputError as error:
            tries.finish(self._store, asked.id, str(error))
            return True
        self._trying[id(job)] = _RunningTry(course, job, asked)
        self._lanes[course].give(job, None)
        return True

    def _end_try(self, asked: CheckTry, answer: Answer) -> None:
        """Store what came of a try; that of lost workers waits again."""
        if (told := Job.came_of_try(answer)) is not None:
            tries.finish(self._store, asked.id, told)

    def _claim_next(self) -> Attempt | None:
        free = self._free_courses()
        if not free:
            return None
        found = queue.claim(self._store, self.owner, self._clock(), free)
        if found is None and self.is_idle and queue.requeue_clock_bound(self._store):
            found = queue.claim(self._store, self.owner, self._clock(), free)
        running = [each.attempt.id for each in self._running.values() if each.attempt.is_second]
        return found or regrades.claim(self._store, free, running, self._clock())

    def _start(self, attempt: Attempt) -> None:
        person = people.get(self._store, attempt.person)
        if person is None:
            return  # forgotten in this very moment, and the attempt with the person
        sources = upload_paths(self._data.upload(attempt.id), attempt.labels)
        files = list(zip(sources, attempt.labels, strict=True))
        choices = uploads.choices_of(self._data, attempt)
        first = b"" if attempt.is_second else queue.first_grading(self._store, attempt.id)
        job = Job.of_upload(person.folder, files, person.name, choices, first)
        self._running[id(job)] = _RunningJob(attempt.course, job, attempt)
        self._lanes[attempt.course].give(job, None)

    def _store_result(self, attempt: Attempt, done: Done) -> None:
        """Store a result: the files first, then the row.

        It is discarded if the attempt was withdrawn, or if the lease has passed to another owner.
        """
        if not attempt.is_second and not queue.holds_lease(self._store, self.owner, attempt.id):
            return
        try:
            ResultFolder(self._data.result(attempt)).save(done)
        except DiskError as error:
            self._put_back(attempt, str(error), ILL_SECONDS)
            return
        steps = () if done.refused else tuple(done.exercises())
        outcome = Outcome(
            *("refused" if done.refused else "graded", done.key, done.score, done.max_score, done.seconds),
            *(done.refused, done.again),
            stamp=settings.get(self._store, settings.STAMP + attempt.course),
        )
        if attempt.is_second:
            is_kept = regrades.finish(self._store, attempt, outcome, steps, self._clock())
        else:
            # those of a cluster tell none
            for step in () if attempts.list_steps(self._store, attempt.id) else steps:
                attempts.add_step(self._store, attempt.id, step, self._clock())
            is_kept = queue.finish(self._store, self.owner, attempt.id, outcome, self._clock())
        _log_job(attempt, outcome.state, outcome.seconds)
        is_forgotten = attempts.get(self._store, attempt.id) is None  # or dropped, in this very moment
        if not is_kept and (attempt.is_second or is_forgotten):
            shutil.rmtree(self._data.result(attempt), ignore_errors=True)

    def _retry(self, attempt: Attempt, fault: MachineFault) -> None:
        if fault.lasting and not fault.is_question:
            self._put_back(attempt, fault.reason, ILL_SECONDS)
        elif (rest := fault.rest_after(attempt.tries)) is not None:
            self._put_back(attempt, None if fault.waits else fault.reason, rest)
        else:
            reason = fault.reason[:_LONGEST_REASON]
            if attempt.is_second:
                regrades.fail(self._store, attempt, reason, self._clock())
            else:
                if fault.choice:
                    uploads.put_choice(self._data, attempt, fault.choice)
                queue.fail(self._store, self.owner, attempt.id, reason, self._clock())
            _log_job(attempt, "fault", self._clock() - (attempt.started or attempt.at))

    def _put_back(self, attempt: Attempt, reason: str | None, seconds: float) -> None:
        if attempt.is_second:
            not_before = self._clock() + seconds
            regrades.put_back(self._store, attempt, not_before, counts=reason is not None)
            return
        shortened = None if reason is None else reason[:_LONGEST_REASON]
        queue.put_back(self._store, self.owner, attempt.id, shortened, self._clock() + seconds)


def _log_job(attempt: Attempt, state: str, seconds: float) -> None:
    """Print a line for programs: of a job that has ended, without a name."""
    told = {"attempt": attempt.id, "course": attempt.course, "state": state, "tries": attempt.tries}
    print(json.dumps({**told, "seconds": round(seconds, 3)}), flush=True)
