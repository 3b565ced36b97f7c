"""The loop of a batch: every submission gets an intact result, whatever happens to any of them.

Theory of operation. This process has one thread: it hands out jobs, receives answers, writes the files and
the journal, and reports events. Workers grade. After a fault of the machine a job is retried a little later,
up to RETRIES times; then the submission gets a result without a mark that says so, and the next run tries
again. A full disk stops the batch, since no more results can be stored. If a clock decided about a check, the
submission is graded once more alone, after all others, and in a batch of one, too.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

from grader.batch.job import Answer, Course, Done, Job, MachineFault, Unchanged
from grader.batch.journal import Journal, JournalRow, Status
from grader.batch.report import render
from grader.disk import writing
from grader.errors import Undecided
from grader.languages import catalogue, said
from grader.model import CheckResult, ChoiceJson, ExerciseResult, Report, ResultsJson, Verdict, note
from grader.results import as_data, as_json
from grader.text import all_visible, visible

LOG: Final = "batch.log.jsonl"

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
    report = Report(
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


RETRIES: Final = 2
"""A job is tried again twice after faults of the machine."""
RETRY_SECONDS: Final = (0.5, 5.0)
"""A job that failed waits half a second before its first retry, and five seconds before later ones."""
TICK_SECONDS: Final = 0.2
"""The loop looks for answers and draws the display every 0.2 seconds."""
FAULT_KEY: Final = ""
"""The key of a result without a final mark. It equals no real key, so the next run grades again."""


@dataclass(slots=True)
class Tally:
    """How many submissions of a batch ended in which way."""

    graded: int = 0
    unchanged: int = 0
    refused: int = 0
    faults: dict[str, str] = field(default_factory=dict)
    """Why the grader failed, by submission."""
    undecided: dict[str, str] = field(default_factory=dict)
    """What a person has to say first, by submission."""
    settled: list[str] = field(default_factory=list)
    """The submissions whose results match their present files."""

    @property
    def count(self) -> int:
        """The number of submissions that have a result."""
        return self.graded + self.unchanged + self.refused + len(self.faults) + len(self.undecided)


class Batch:
    """One run over a class: its queue of jobs, and their outcomes."""

    def __init__(
        self, jobs: Sequence[Job], course: Course, journal: Journal, tell: Tell, *, again: bool = False
    ) -> None:
        self._course, self._journal, self._tell = course, journal, tell
        self._left = deque(jobs)
        self._resting: list[tuple[float, Job]] = []
        self._for_the_end: deque[Job] = deque()
        """Jobs to grade once more, alone, after all others."""
        self._alone: set[str] = set()
        """Names of submissions graded with nothing else running."""
        self._tries: dict[str, int] = {}
        self._intact_keys = {} if again else _intact_keys(journal.entries(), journal)
        self.tally = Tally()

    def run(self, executor: Executor, tick: Callable[[Executor], None] = lambda _: None) -> Tally:
        """Grade all jobs. Raises DiskError if results can no longer be written."""
        out_there = 0
        while self._left or self._resting or self._for_the_end or out_there:
            now = time.monotonic()
            self._left.extend(job for moment, job in self._resting if moment <= now)
            self._resting = [(moment, job) for moment, job in self._resting if moment > now]
            if self._for_the_end and not (self._left or self._resting or out_there):
                job = self._for_the_end.popleft()
                self._alone.add(job.name)
                self._left.append(job)
            while self._left and executor.free():
                job = self._left.popleft()
                executor.give(job, self._intact_keys.get(job.name))
                out_there += 1
            if out_there:
                for job, found in executor.wait(TICK_SECONDS):
                    out_there -= 1
                    self._handle(job, found)
            else:
                time.sleep(TICK_SECONDS)
            tick(executor)
        return self.tally

    def _handle(self, job: Job, found: Answer) -> None:
        """Store a result, or retry the job."""
        if isinstance(found, Done) and found.clock_bound and job.name not in self._alone:
            entry = JournalRow(job.name, FAULT_KEY, "graded", found.seconds, "")
            self._journal.record(entry, found.results, found.page, found.code, found.staff)
            self._intact_keys.pop(job.name, None)
            self._for_the_end.append(job)
            self._tell("again", submission=job.name, reason="a clock ran out: it is graded again, by itself")
        elif isinstance(found, Done):
            self._keep(job, found)
        elif isinstance(found, Unchanged):
            self.tally.unchanged += 1
            self.tally.settled.append(job.name)
            self._tell("unchanged", submission=job.name)
        else:
            self._retry(job, found)

    def _keep(self, job: Job, done: Done) -> None:
        status: Status = "refused" if done.refused else "graded"
        entry = JournalRow(job.name, done.key, status, done.seconds, "")
        self._journal.record(entry, done.results, done.page, done.code, done.staff)
        if done.look:
            self._journal.keep_look(job.name, done.look)
        if done.refused:
            self.tally.refused += 1
        else:
            self.tally.graded += 1
        self.tally.settled.append(job.name)
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
        if tries > RETRIES or fault.lasting:
            results, page = make_fault_result(job.name, fault.reason, self._course, fault.choice)
            self._journal.record(JournalRow(job.name, FAULT_KEY, "fault", 0.0, fault.reason), results, page)
            is_undecided = fault.reason.startswith(Undecided.OPENING)
            (self.tally.undecided if is_undecided else self.tally.faults)[job.name] = fault.reason
            self._tell("undecided" if is_undecided else "fault", submission=job.name, reason=fault.reason)
            return
        self._tell("retry", submission=job.name, reason=fault.reason, tries=tries)
        self._resting.append((time.monotonic() + RETRY_SECONDS[min(tries, len(RETRY_SECONDS)) - 1], job))


def _intact_keys(entries: Mapping[str, JournalRow], journal: Journal) -> dict[str, str]:
    """Return the keys of all intact results by name."""
    return {name: entry.key for name, entry in entries.items() if entry.key and journal.intact(name)}
