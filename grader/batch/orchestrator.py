"""``grader batch``: every submission gets an intact result, whatever happens to one of them.

Theory of operation. This process has one thread: it hands out jobs, takes answers, writes files and
the journal, and tells those who watch. Workers grade. A fault of the machine is tried again, a
little later and up to RETRIES times; then the submission gets a result that says so, without a
mark, and the next run tries it again. A full disk stops the batch, since nothing more can be kept.
Where a clock decided about a check, the submission is graded once more when all others are done,
by itself: what a busy machine did to it is gone then.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from grader.batch.events import Tell
from grader.batch.executor import Executor
from grader.batch.fault_result import make_fault_result
from grader.batch.job import Answer, Course, Done, Job, MachineFault, Unchanged
from grader.batch.journal import Journal, JournalRow, Status

RETRIES: Final = 2
RETRY_SECONDS: Final = (0.5, 5.0)
"""How long a job that failed waits before it is tried again, the first time and later."""
TICK_SECONDS: Final = 0.2
FAULT_KEY: Final = ""
"""The key of a result that is no mark: it equals none, so the next run tries again."""


@dataclass(slots=True)
class Tally:
    """What came of a batch."""

    graded: int = 0
    unchanged: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)
    reason: str = ""
    """What the last of the faults was."""
    settled: list[str] = field(default_factory=list)
    """Whose result is that of the files as they were read in this run."""

    @property
    def count(self) -> int:
        """How many submissions have a result."""
        return self.graded + self.unchanged + self.refused + len(self.faults)


class Batch:
    """One run over a class."""

    def __init__(
        self, jobs: Sequence[Job], course: Course, journal: Journal, tell: Tell, *, again: bool = False
    ) -> None:
        self._course, self._journal, self._tell = course, journal, tell
        self._left = deque(jobs)
        self._resting: list[tuple[float, Job]] = []
        self._for_the_end: deque[Job] = deque()
        """What is graded once more, each by itself."""
        self._alone: set[str] = set() if len(jobs) > 1 else {job.name for job in jobs}
        """The submissions that nothing else is or was graded beside."""
        self._tries: dict[str, int] = {}
        self._known = {} if again else _known(journal.entries(), journal)
        self.tally = Tally()

    def run(self, executor: Executor, tick: Callable[[Executor], None] = lambda _: None) -> Tally:
        """Grade everything. Raises OSError where results cannot be written any more."""
        out_there = 0
        while self._left or self._resting or self._for_the_end or out_there:
            self._wake()
            if self._for_the_end and not (self._left or self._resting or out_there):
                job = self._for_the_end.popleft()
                self._alone.add(job.name)
                self._left.append(job)
            while self._left and executor.free():
                job = self._left.popleft()
                executor.give(job, self._known.get(job.name))
                out_there += 1
            if out_there:
                for job, found in executor.wait(TICK_SECONDS):
                    out_there -= 1
                    self._take(job, found)
            else:
                time.sleep(TICK_SECONDS)
            tick(executor)
        return self.tally

    def _wake(self) -> None:
        now = time.monotonic()
        self._left.extend(job for moment, job in self._resting if moment <= now)
        self._resting = [(moment, job) for moment, job in self._resting if moment > now]

    def _take(self, job: Job, found: Answer) -> None:
        if isinstance(found, Done) and found.clock_bound and job.name not in self._alone:
            self._keep_for_now(job, found)
        elif isinstance(found, Done):
            self._keep(job, found)
        elif isinstance(found, Unchanged):
            self.tally.unchanged += 1
            self.tally.settled.append(job.name)
            self._tell("unchanged", submission=job.name)
        else:
            self._retry(job, found)

    def _keep_for_now(self, job: Job, done: Done) -> None:
        """Keep a result until a better one comes; the next run grades anew where this one is stopped."""
        entry = JournalRow(job.name, FAULT_KEY, "graded", done.seconds, "")
        self._journal.record(entry, done.results, done.page, done.code, done.staff)
        self._known.pop(job.name, None)
        self._for_the_end.append(job)
        self._tell("again", submission=job.name, reason="a clock ran out: it is graded again, by itself")

    def _keep(self, job: Job, done: Done) -> None:
        status: Status = "refused" if done.refused else "graded"
        entry = JournalRow(job.name, done.key, status, done.seconds, "")
        self._journal.record(entry, done.results, done.page, done.code, done.staff)
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
        if fault.waits:
            self._left.append(job)
            return
        self._complain(job, fault)
        tries = self._tries[job.name] = self._tries.get(job.name, 0) + 1
        if tries > RETRIES or fault.lasting:
            self._give_up(job, fault)
            return
        self._tell("retry", submission=job.name, reason=fault.reason, tries=tries)
        self._resting.append((time.monotonic() + RETRY_SECONDS[min(tries, len(RETRY_SECONDS)) - 1], job))

    def _give_up(self, job: Job, fault: MachineFault) -> None:
        results, page = make_fault_result(job.name, fault.reason, self._course)
        self._journal.record(JournalRow(job.name, FAULT_KEY, "fault", 0.0, fault.reason), results, page)
        self.tally.faults.append(job.name)
        self.tally.reason = fault.reason
        self._tell("fault", submission=job.name, reason=fault.reason)


def _known(entries: Mapping[str, JournalRow], journal: Journal) -> dict[str, str]:
    """The keys of the results that are there, whole."""
    return {name: entry.key for name, entry in entries.items() if entry.key and journal.intact(name)}
