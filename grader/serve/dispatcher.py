"""The dispatcher: takes jobs from the queue, gives them to workers, and stores the results.

Theory of operation. It has one thread, as the orchestrator of a batch has, so it may fork workers. A running
job has a lease in the database, which is renewed while the worker is busy; the files of a result are on the
disk before its row says so. If the dispatcher is killed at any moment, either the result is stored, or the
job waits again: the next dispatcher holds the folder alone, and knows that all other leases are dead. A job
that fails with a machine fault is retried a little later, up to RETRIES times; then staff see the reason, and
the student loses nothing. If the fault is lasting, no job is given up: all wait until the machine works
again. An upload with several attempts in it is given up at once: its student chooses one, or hands in one.
If a clock decided a check, as happens on a busy machine, the job is run once more when the queue is empty.
"""

from __future__ import annotations

import json
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from grader.batch.job import Answer, Done, ExerciseDone, Job, MachineFault
from grader.batch.orchestrator import RETRIES, RETRY_SECONDS, Executor
from grader.disk import writing
from grader.errors import DiskError, Undecided
from grader.grading.pipeline import write_results
from grader.intake.class_listing import HandIn, with_files
from grader.serve import upload_storage
from grader.serve.class_folder import CODE_FILE
from grader.serve.data_folder import DataFolder
from grader.serve.store import attempts, credentials, people, queue
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.queue import Outcome
from grader.serve.upload_storage import upload_paths

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


class Dispatcher:
    """Runs jobs on workers; ``lanes`` are the executors by course, and at most ``most`` jobs run at once."""

    def __init__(
        self,
        data: DataFolder,
        store: Store,
        lanes: Mapping[str, Executor],
        most: int,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.owner = credentials.new_secret()
        self._data, self._store, self._lanes, self._most, self._clock = data, store, lanes, most, clock
        self._running: dict[int, _RunningJob] = {}
        """The running jobs, by the job's identity, since a student may have two jobs of the same name."""
        self._answers: deque[tuple[Attempt, Answer]] = deque()
        """The answers that are not stored yet; they stay here while the disk is full."""
        self._renewed = float("-inf")
        queue.release_others(store, self.owner)

    @property
    def is_idle(self) -> bool:
        """Tell whether no job is running and no answer waits to be stored."""
        return not self._running and not self._answers

    def step(self, *, takes: bool = True, seconds: float = TICK_SECONDS) -> None:
        """Give jobs to free workers if ``takes`` is true; store the results that arrive within ``seconds``.

        Raises DiskError; nothing is lost then, and the next step continues.
        """
        self._store_answers()
        self._renew()
        while takes and (attempt := self._claim_next()) is not None:
            self._start(attempt)
        busy = {each.course for each in self._running.values()}
        for course in busy:
            for job, answer in self._lanes[course].wait(seconds / len(busy)):
                self._answers.append((self._running.pop(id(job)).attempt, answer))
        self._store_answers()
        if not busy:
            time.sleep(seconds)

    def record_exercise(self, course: str, job: Job, step: ExerciseDone) -> None:
        """Record that an exercise of a job has been graded."""
        found = self._running.get(id(job))
        if found is not None and found.course == course:
            with suppress(DiskError):  # the result is reported in any case
                attempts.add_step(self._store, found.attempt.id, step, self._clock())

    def release(self) -> None:
        """Return all running jobs to the queue."""
        queue.release(self._store, self.owner)
        self._running.clear()

    def _store_answers(self) -> None:
        while self._answers:
            self._store_answer(*self._answers[0])
            self._answers.popleft()

    def _renew(self) -> None:
        now = self._clock()
        if now >= self._renewed + RENEW_SECONDS or now < self._renewed:
            queue.renew(self._store, self.owner, now)
            queue.release_expired(self._store, now)
            self._renewed = now

    def _claim_next(self) -> Attempt | None:
        if len(self._running) >= self._most:
            return None
        free = [course for course, lane in self._lanes.items() if lane.free()]
        found = queue.claim(self._store, self.owner, self._clock(), free) if free else None
        if found is None and self.is_idle and queue.requeue_clock_bound(self._store):
            return queue.claim(self._store, self.owner, self._clock(), free)
        return found

    def _start(self, attempt: Attempt) -> None:
        person = people.get(self._store, attempt.person)
        if person is None:
            return  # forgotten in this very moment, and the attempt with the person
        sources = upload_paths(self._data.upload(attempt.id), attempt.labels)
        files = list(zip(sources, attempt.labels, strict=True))
        hand_in = with_files(HandIn(person.folder, (), student=person.name), files)
        job = Job(hand_in, choices=upload_storage.choices_of(self._data, attempt), are_own_choices=True)
        self._running[id(job)] = _RunningJob(attempt.course, job, attempt)
        self._lanes[attempt.course].give(job, None)

    def _store_answer(self, attempt: Attempt, answer: Answer) -> None:
        if isinstance(answer, Done):
            self._store_result(attempt, answer)
        elif isinstance(answer, MachineFault):
            self._retry(attempt, answer)

    def _store_result(self, attempt: Attempt, done: Done) -> None:
        """Store a result: the files first, then the row.

        It is discarded if the attempt was withdrawn, or if the lease has passed to another owner.
        """
        if not queue.holds_lease(self._store, self.owner, attempt.id):
            return
        try:
            self._write(attempt, done)
        except DiskError as error:
            self._put_back(attempt, str(error), ILL_SECONDS)
            return
        self._record_untold(attempt, done)
        outcome = Outcome(
            *("refused" if done.refused else "graded", done.key, done.score, done.max_score),
            *(done.seconds, done.refused, done.clock_bound),
        )
        is_kept = queue.finish(self._store, self.owner, attempt.id, outcome, self._clock())
        if not is_kept and attempts.get(self._store, attempt.id) is None:  # forgotten in this very moment
            shutil.rmtree(self._data.attempt(attempt.id), ignore_errors=True)

    def _record_untold(self, attempt: Attempt, done: Done) -> None:
        """Record the exercises of a result whose worker told none before: those of a cluster do not."""
        if not done.refused and not attempts.list_steps(self._store, attempt.id):
            for step in _shown_exercises(done.results):
                attempts.add_step(self._store, attempt.id, step, self._clock())

    def _write(self, attempt: Attempt, done: Done) -> None:
        folder = self._data.attempt(attempt.id)
        with writing(folder):
            folder.mkdir(exist_ok=True)
        write_results(folder, done.results, done.page, {**done.staff, CODE_FILE: done.code})

    def _retry(self, attempt: Attempt, fault: MachineFault) -> None:
        is_undecided = fault.reason.startswith(Undecided.OPENING)
        if fault.lasting and not is_undecided:
            self._put_back(attempt, fault.reason, ILL_SECONDS)
        elif fault.waits:
            self._put_back(attempt, None, RETRY_SECONDS[0])
        elif is_undecided or attempt.tries > RETRIES:
            if fault.choice:
                upload_storage.put_choice(self._data, attempt, fault.choice)
            queue.fail(self._store, self.owner, attempt.id, fault.reason[:_LONGEST_REASON], self._clock())
        else:
            rest = RETRY_SECONDS[min(attempt.tries, len(RETRY_SECONDS)) - 1]
            self._put_back(attempt, fault.reason, rest)

    def _put_back(self, attempt: Attempt, reason: str | None, seconds: float) -> None:
        shortened = None if reason is None else reason[:_LONGEST_REASON]
        queue.put_back(self._store, self.owner, attempt.id, shortened, self._clock() + seconds)


def _shown_exercises(results: bytes) -> Iterator[ExerciseDone]:
    """Yield each exercise of a result with the points of its public checks."""
    for exercise in json.loads(results)["exercises"]:
        shown = [check for check in exercise["checks"] if check["visibility"] != "hidden"]
        score, most = (sum(check[key] for check in shown) for key in ("score", "max_score"))
        yield ExerciseDone(exercise["id"], score, most)
