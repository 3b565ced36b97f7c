"""The loop of a batch: every submission gets an intact result, whatever happens to any of them.

Theory of operation. This process has one thread: it hands out jobs, receives answers, writes the files and
the journal, and reports events. Workers grade. After a fault of the machine a job is retried a little later,
up to RETRIES times; then the submission gets a result without a mark that says so, and the next run tries
again. A full disk stops the batch, since no more results can be stored. If a clock decided about a check, the
submission is graded once more alone, after all others, and in a batch of one, too.

The folder is locked for the whole run, but people go on to decide: they write into the ledger, and where they
say anew what is late, into the facts of the class. Both are read before each submission and before each page.
A run ends only when nothing was written since it last looked, and while nobody else can write.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Protocol, Self

from grader.batch.deadlines import TABLES, lateness_as_asked
from grader.batch.job import Answer, Course, Done, Job, MachineFault, Unchanged
from grader.batch.journal import LOG, Journal, JournalRow
from grader.batch.ledger import LEDGER, chosen_numbers, ledger_alone
from grader.batch.report import render
from grader.batch.report.class_facts import FILE as FACTS
from grader.batch.report.class_facts import ClassFacts, load, save
from grader.batch.report.class_page import ClassStanding, update_reports
from grader.disk import writing
from grader.errors import GraderError, InputError, Undecided
from grader.exports.grades_csv import UNFINISHED
from grader.languages import catalogue, said
from grader.model import CheckResult, ChoiceJson, ExerciseResult, GradedSubmission, ResultsJson, Verdict, note
from grader.results import as_data, as_json
from grader.text import all_visible, visible

Tell = Callable[..., None]
"""A function ``tell(event, **facts)`` that reports an event; its facts are plain data."""


class Log:
    """The log file: one JSON object in ASCII per line and event.

    When the disk is full, lines are lost, but the batch goes on.
    """

    def __init__(self, out: Path) -> None:
        path = out / LOG
        with writing(path):
            torn = path.is_file() and path.read_bytes()[-1:] not in (b"", b"\n")
            self._file = path.open("a", encoding="ascii", buffering=1)
        self.lost = 0
        if torn:  # a grader was killed while it wrote
            self._write("\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._file.close()
        except OSError:
            self.lost += 1

    def tell(self, event: str, **facts: Any) -> None:
        """Write an event with a timestamp."""
        moment = datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
        self._write(json.dumps({"time": moment, "event": event, **facts}) + "\n")

    def _write(self, text: str) -> None:
        try:
            self._file.write(text)
        except OSError:
            self.lost += 1


class Executor(Protocol):
    """Workers on this machine, or on several: they get jobs, and their answers are collected."""

    def free(self) -> int:
        """Return how many more jobs would start immediately."""

    def give(self, job: Job, known: str | None) -> None:
        """Hand out a job; ``known`` is the key of its present result, if any."""

    def wait(self, seconds: float) -> list[tuple[Job, Answer]]:
        """Wait for at most ``seconds``, and return the answers that have arrived."""

    def doing(self) -> list[tuple[str, float]]:
        """Return the name of each worker's submission with the seconds since it began; "" if it is idle."""

    def close(self) -> None:
        """End all workers and their boxes; safe to call twice."""


# --- fault result -----------------------------------------------------------------------------------
# The result of a submission that could not be graded: it has no mark, rather than a mark of zero.

_SKIPPED = Verdict("skipped", said("not_graded"))


def make_fault_result(
    name: str, reason: str, course: Course, choice: ChoiceJson | None = None
) -> tuple[bytes, bytes]:
    """Return a results.json with a key "fault", and a page that says why there is no mark."""
    rubric = course.plan.rubric
    why = note(said("no_fault", reason=reason))
    language = course.language or rubric.language
    exercises = []
    for exercise in course.plan.exercises:
        planned = [(check, course.plan.points[check.id]) for check in exercise.checks]
        checks = (CheckResult(c.id, c.title, p.points, p.visibility, _SKIPPED) for c, p in planned)
        exercises.append(ExerciseResult(exercise.id, exercise.title, tuple(checks)))
    report = GradedSubmission(
        name, course.sandbox, rubric.title, "", tuple(exercises), language=language, remarks=(why,)
    )
    results: ResultsJson = {**as_data(report), "fault": visible(reason)}
    if choice:
        results["choice"] = all_visible(choice)
    page = render(
        "fault.html.j2",
        name=visible(name),
        title=rubric.title,
        t=catalogue(language),
        is_undecided=reason.startswith(Undecided.OPENING),
    )
    return as_json(results), page.encode()


TICK_SECONDS: Final = 0.2
"""The loop looks for answers and draws the display every 0.2 seconds."""
FAULT_KEY: Final = ""
"""The key of a result without a final mark. It equals no real key, so the next run grades again."""


Ending = Literal["graded", "unchanged", "refused", "undecided", "fault"]


@dataclass(slots=True)
class Tally:
    """How many submissions of a batch ended in which way."""

    ended: dict[str, Ending] = field(default_factory=dict)
    """How each submission ended."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Why those have no mark that have none."""

    @property
    def graded(self) -> int:
        """The number of submissions that got a mark."""
        return len(self._which("graded"))

    @property
    def unchanged(self) -> int:
        """The number of submissions whose result was there already."""
        return len(self._which("unchanged"))

    @property
    def refused(self) -> int:
        """The number of submissions in which there was nothing to grade."""
        return len(self._which("refused"))

    @property
    def faults(self) -> dict[str, str]:
        """Why the grader failed, by submission."""
        return {name: self.reasons[name] for name in self._which("fault")}

    @property
    def undecided(self) -> dict[str, str]:
        """What a person has to say first, by submission."""
        return {name: self.reasons[name] for name in self._which("undecided")}

    @property
    def settled(self) -> list[str]:
        """The submissions whose results match their present files."""
        return self._which("graded", "unchanged", "refused")

    def _which(self, *endings: Ending) -> list[str]:
        return [name for name, how in self.ended.items() if how in endings]


class Batch:
    """One run over a class: its queue of jobs, and their outcomes."""

    def __init__(
        self,
        jobs: Sequence[Job],
        course: Course,
        journal: Journal,
        tell: Tell,
        *,
        again: bool = False,
        news: Callable[[], Iterable[Job]] = tuple,
    ) -> None:
        """Begin with these jobs; ``news`` returns those about which people have decided since then."""
        self._course, self._journal, self._tell = course, journal, tell
        firsts = {} if again else journal.firsts()
        self._left = deque(job for job in jobs if job.name not in firsts)
        self._resting: list[tuple[float, Job]] = []
        self._for_the_end = deque(replace(job, first=firsts[job.name]) for job in jobs if job.name in firsts)
        """Jobs to grade for the second time, each alone, after all others."""
        self._tries: dict[str, int] = {}
        self._news = news
        self._out: set[str] = set()
        """Names of submissions that workers have."""
        self._decided: dict[str, Job] = {}
        """Jobs of such submissions about which a person has decided meanwhile."""
        self._intact_keys = {} if again else _intact_keys(journal.entries(), journal)
        self.tally = Tally()

    def run(self, executor: Executor, tick: Callable[[Executor], None] = lambda _: None) -> Tally:
        """Grade all jobs. Raises DiskError if results can no longer be written."""
        while self._left or self._resting or self._for_the_end or self._out:
            for job in self._news():
                self._take_in(job)
            now = time.monotonic()
            self._left.extend(job for moment, job in self._resting if moment <= now)
            self._resting = [(moment, job) for moment, job in self._resting if moment > now]
            if self._for_the_end and not (self._left or self._resting or self._out):
                self._left.append(self._for_the_end.popleft())
            self._hand_out(executor)
            if self._out:
                for job, found in executor.wait(TICK_SECONDS):
                    self._out.remove(job.name)
                    if job.name in self._decided:
                        self._left.append(self._decided.pop(job.name))
                    else:
                        self._handle(job, found)
                self._hand_out(executor)  # no worker waits until reports are written
            else:
                time.sleep(TICK_SECONDS)
            tick(executor)
        return self.tally

    def _hand_out(self, executor: Executor) -> None:
        while self._left and executor.free():
            job = self._left.popleft()
            executor.give(job, self._intact_keys.get(job.name))
            self._out.add(job.name)

    def _take_in(self, job: Job) -> None:
        """Queue a job about which a person has decided, in the place of what it was before."""
        self._intact_keys.pop(job.name, None)  # decided twice, it is not what lies on the disk
        if job.name in self._out:
            self._decided[job.name] = job
            return
        if self.tally.ended.pop(job.name, None) or job.name not in self._waiting():
            self._tell("chosen", submission=job.name)
        self._left = deque(each for each in self._left if each.name != job.name)
        self._resting = [(moment, each) for moment, each in self._resting if each.name != job.name]
        self._for_the_end = deque(each for each in self._for_the_end if each.name != job.name)
        self._tries.pop(job.name, None)
        self._left.append(job)

    def _waiting(self) -> set[str]:
        jobs = (*self._left, *(job for _, job in self._resting), *self._for_the_end)
        return {job.name for job in jobs}

    def _handle(self, job: Job, found: Answer) -> None:
        """Store a result, or retry the job."""
        if isinstance(found, Done) and found.again:
            entry = JournalRow(job.name, FAULT_KEY, "graded", found.seconds, "", again=found.again)
            self._journal.record(entry, found.results, found.page, found.code, found.staff)
            self._intact_keys.pop(job.name, None)
            self._for_the_end.append(replace(job, first=found.again))
            told = "a clock ran out: what it decided is graded again, by itself"
            self._tell("again", submission=job.name, reason=told)
        elif isinstance(found, Done):
            self._keep(job, found)
        elif isinstance(found, Unchanged):
            self.tally.ended[job.name] = "unchanged"
            self._tell("unchanged", submission=job.name)
        elif isinstance(found, MachineFault):
            self._retry(job, found)

    def _keep(self, job: Job, done: Done) -> None:
        status: Literal["refused", "graded"] = "refused" if done.refused else "graded"
        entry = JournalRow(job.name, done.key, status, done.seconds, "")
        self._journal.record(entry, done.results, done.page, done.code, done.staff)
        if done.look:
            self._journal.keep_look(job.name, done.look)
        self.tally.ended[job.name] = status
        self._complain(job, done)
        facts = {"reason": done.refused} if done.refused else {}
        self._tell(
            status,
            submission=job.name,
            score=done.score,
            max_score=done.max_score,
            seconds=round(done.seconds, 3),
            **facts,
        )

    def _complain(self, job: Job, found: Done | MachineFault) -> None:
        for complaint in found.complaints:
            self._tell("complaint", submission=job.name, reason=complaint)

    def _retry(self, job: Job, fault: MachineFault) -> None:
        """Queue a job again after a fault, or give it up after too many."""
        if fault.waits:
            self._left.append(job)
            return
        self._complain(job, fault)
        tries = self._tries[job.name] = self._tries.get(job.name, 0) + 1
        rest = fault.rest_after(tries)
        if rest is None:
            results, page = make_fault_result(job.name, fault.reason, self._course, fault.choice)
            self._journal.record(JournalRow(job.name, FAULT_KEY, "fault", 0.0, fault.reason), results, page)
            ending: Ending = "undecided" if fault.is_question else "fault"
            self.tally.ended[job.name], self.tally.reasons[job.name] = ending, fault.reason
            self._tell(ending, submission=job.name, reason=fault.reason)
            return
        self._tell("retry", submission=job.name, reason=fault.reason, tries=tries)
        self._resting.append((time.monotonic() + rest, job))


def _intact_keys(entries: Mapping[str, JournalRow], journal: Journal) -> dict[str, str]:
    """Return the keys of all intact results by name."""
    return {name: entry.key for name, entry in entries.items() if entry.key and journal.intact(name)}


_TWENTIETH: Final = 20
"""The reports are written after each twentieth of the class, and take up to a twentieth of the time."""
_LEAST_SECONDS: Final = 1.0
"""What writing them is thought to take before it was measured."""


class OpenClass:
    """A class that is graded now: what people decide about it meanwhile, and its reports."""

    def __init__(  # noqa: PLR0913 - what reports are made of
        self,
        out: Path,
        journal: Journal,
        facts: ClassFacts,
        jobs: Iterable[Job],
        missing: Sequence[str],
        language: str,
        tell: Tell,
    ) -> None:
        """Take all jobs of the class, whether they are graded in this run or not."""
        self._out, self._journal, self._facts = out, journal, facts
        self._missing, self._language, self._tell = missing, language, tell
        self._jobs = {job.name: job for job in jobs}
        self._lates = {name: job.late for name, job in self._jobs.items()}
        self._ledger = _stamp(out / LEDGER)
        self._late = self._late_options()
        """What says what is late, as it was when it was last read or stored."""
        self.goes_on = (out / UNFINISHED).exists()
        """Whether it was stopped before its end."""
        self.chosen: set[str] = set()
        """The submissions about which a person decided anew since the run began."""
        self._began, self._done = time.monotonic(), 0
        self._spent, self._cost = 0.0, _LEAST_SECONDS
        """How long all reports so far took to write, and the last ones."""

    def news(self) -> list[Job]:
        """Return the jobs for which other attempts or files were chosen since the last call."""
        stamp = _stamp(self._out / LEDGER)
        if stamp == self._ledger:
            return []
        self._ledger, chosen = stamp, chosen_numbers(self._out)
        changed = {
            name: replace(job, choices=chosen.get(name, {}))
            for name, job in self._jobs.items()
            if job.choices != chosen.get(name, {})
        }
        self._jobs |= changed
        self.chosen |= changed.keys()
        return list(changed.values())

    def tick(self, done: int) -> None:
        """Write the reports after another twentieth of the class, unless that takes too much of the time."""
        started = time.monotonic()
        cost = self._spent + self._cost
        if (done - self._done) * _TWENTIETH >= len(self._jobs) and cost * _TWENTIETH <= started - self._began:
            self._done = done
            self.write(None)
            self._cost = time.monotonic() - started
            self._spent += self._cost

    def write(self, tell: Tell | None) -> ClassStanding:
        """Bring marks and reports up to date; with ``tell``, which hears of it, compare all submissions."""
        self.save()
        given = (self._out, self._facts, self._journal, self._lates, self._missing, self._language)
        return update_reports(*given, tell)

    def save(self) -> object:
        """Store the facts of the class, with what was said anew of late work since they were last stored.

        Returns what differs after each further decision.
        """
        with ledger_alone(self._out):
            late = self._late_options()
            if late and late != self._late:
                self._take_in_lateness(late)
            save(self._out, self._facts)
            self._late = self._late_options()
            return self._stamp()

    def _late_options(self) -> dict[str, Any]:
        """Return what the folder keeps of late work, by the names of facts."""
        with suppress(InputError):
            facts = load(self._out)
            asked = {name: facts.asked.get(name) for name in ("rubric", *TABLES)}
            digests = {name: facts.digests.get(name, "") for name in TABLES}
            return {"asked": asked, "digests": digests, "late": facts.late}
        return {}

    def _take_in_lateness(self, late: Mapping[str, Any]) -> None:
        own = self._facts
        digests = {name: digest for name, digest in {**own.digests, **late["digests"]}.items() if digest}
        facts = replace(own, asked={**own.asked, **late["asked"]}, digests=digests, late=late["late"])
        try:
            self._lates |= lateness_as_asked(facts)
            self._facts = facts
        except GraderError as error:
            self._tell("complaint", reason=f"what is late was not taken in: {error}")

    def _stamp(self) -> object:
        facts = self._out / FACTS
        return _stamp(self._out / LEDGER), facts.read_bytes() if facts.is_file() else b""

    def end(self, stamp: object) -> bool:
        """End the run if nothing was decided since ``save`` gave this; return whether it has ended."""
        with ledger_alone(self._out):
            if self._stamp() != stamp:
                return False
            with writing(self._out):
                (self._out / UNFINISHED).unlink(missing_ok=True)
            return True


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return what differs after each change of a file to which lines are added."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size
