"""Grade a bank like a class, with the same workers and journal, so that it can be stopped and resumed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from os import cpu_count
from pathlib import Path
from typing import Any

from grader.batch.job import Course, Job
from grader.batch.journal import Journal
from grader.batch.local_workers import LocalWorkers
from grader.batch.lock import hold
from grader.batch.orchestrator import Batch
from grader.batch.progress import Screen, display_for
from grader.course.plan import Plan
from grader.disk import writing
from grader.errors import SandboxError
from grader.grading.pipeline import RESULTS, STAFF
from grader.intake import read_submission
from grader.intake.class_listing import HandIn
from grader.model import Submission
from grader.sandbox.cache import cache_folder
from grader.sandbox.probe import BACKENDS
from grader.verification.bank import KnownSubmission
from lab.user_folders import user_folder


@dataclass(frozen=True, slots=True)
class Graded:
    """The results of one of the bank's submissions."""

    known: KnownSubmission
    scores: dict[str, tuple[float, float]]
    """Score and maximum by exercise."""
    lost: dict[str, tuple[str, ...]]
    """The failed checks, by exercise."""
    messages: dict[str, str]
    """The messages of failed checks, by check."""
    wrong_mazes: dict[str, list[str]]
    """The test mazes on which a check failed, by check."""
    margins: dict[str, Any]
    wrong_shares: dict[str, float] = field(default_factory=dict)
    """By exercise, the share of cases it gets wrong, among those that students would try."""


def cache() -> Path:
    """Return the default folder that stores results between runs."""
    own = user_folder("XDG_CACHE_HOME", ".cache")
    with suppress(OSError):
        if own is not None:
            (own / "maze-grader" / "verify").mkdir(parents=True, exist_ok=True)
            return own / "maze-grader" / "verify"
    return cache_folder() / "verify"  # a user without a writable home


@dataclass(frozen=True, slots=True)
class Grading:
    """How a bank's submissions are graded, and into which folder."""

    sandbox: str
    out: Path
    jobs: int | None = None
    quiet: bool = False

    def grade(self, bank: Sequence[KnownSubmission], plan: Plan, part: str) -> list[Graded]:
        """Grade each submission in the exercises that matter, into the subfolder ``part``; reuse valid
        results.

        Raises SandboxError if the machine fails on any of them.
        """
        folder = self.out / part
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        asked = {exercise.id for exercise in plan.exercises}
        telling = [known for known in bank if _relevant_exercises(known, asked)]
        todo = [_job(known, asked) for known in telling]
        display = display_for(Screen(stderr=True), len(todo), quiet=self.quiet)
        course = Course(_without_ladders(plan), self.sandbox)
        with hold(folder), Journal(folder) as journal, display:
            executor = LocalWorkers(course, BACKENDS[self.sandbox], self.jobs or cpu_count() or 1)
            try:
                tally = Batch(todo, course, journal, display.tell).run(executor, display.tick)
            finally:
                executor.close()
        if tally.faults:
            raise SandboxError(f"the grader failed on {', '.join(tally.faults[:5])}: try again")
        return [_load_graded(known, folder / known.name) for known in telling]


def _job(known: KnownSubmission, asked: set[str]) -> Job:
    return Job(
        HandIn(known.name, ()), submission=_read_as_intake(known), exercises=_relevant_exercises(known, asked)
    )


def _relevant_exercises(known: KnownSubmission, asked: set[str]) -> frozenset[str]:
    """Return which exercises of a submission to grade.

    If the plan lacks an exercise in which it is wrong, only those in which it must lose are graded: solvers
    on a wrong Search count as right only if the search is graded, too.
    """
    return (known.exercises if known.loses <= asked else known.loses) & asked


def _read_as_intake(known: KnownSubmission) -> Submission:
    """Return the submission as intake would read and repair it."""
    with tempfile.TemporaryDirectory(prefix="maze-grader-") as name:
        folder = Path(name, known.name)
        for path, content in known.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        return read_submission(folder, name=known.name)


def _without_ladders(plan: Plan) -> Plan:
    """Drop the search for smallest mazes from the plan: it is slow, and decides nothing here."""
    exercises = tuple(
        replace(
            exercise,
            checks=tuple(replace(check, ladder=None, control_ladder=None) for check in exercise.checks),
        )
        for exercise in plan.exercises
    )
    return replace(plan, exercises=exercises, gallery={})


def _load_graded(known: KnownSubmission, folder: Path) -> Graded:
    results = json.loads((folder / RESULTS).read_bytes())
    staff = json.loads((folder / STAFF).read_bytes())
    failed = {
        each["id"]: [c for c in each["checks"] if c["status"] != "passed"] for each in staff["exercises"]
    }
    return Graded(
        known,
        {each["id"]: (each["score"], each["max_score"]) for each in results["exercises"]},
        {id_: tuple(check["id"] for check in checks) for id_, checks in failed.items()},
        {check["id"]: check["message"] for checks in failed.values() for check in checks},
        staff["wrong_mazes"],
        staff["margins"],
        staff["wrong_shares"],
    )
