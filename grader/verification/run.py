"""Grading a bank as a class is graded, by the same workers and journal: it can be stopped, and goes on."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os import cpu_count
from pathlib import Path
from typing import Any

from grader.batch.job import Course, Job
from grader.batch.journal import Journal
from grader.batch.local_workers import Crew
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
from grader.sandbox.registry import BACKENDS
from grader.verification.bank import KnownSubmission
from lab.user_folders import user_folder


@dataclass(frozen=True, slots=True)
class Graded:
    """What a submission of the bank got."""

    known: KnownSubmission
    scores: dict[str, tuple[float, float]]
    """Points and the most there are, by exercise."""
    lost: dict[str, tuple[str, ...]]
    """The checks that failed, by exercise."""
    messages: dict[str, str]
    """What was wrong, by check."""
    wrong_mazes: dict[str, list[str]]
    """The test mazes on which a check failed, by check."""
    margins: dict[str, Any]


def cache() -> Path:
    """Where results are kept unless a folder is named: who asks again, or goes on, has most of them."""
    own = user_folder("XDG_CACHE_HOME", ".cache")
    with suppress(OSError):
        if own is not None:
            (own / "maze-grader" / "verify").mkdir(parents=True, exist_ok=True)
            return own / "maze-grader" / "verify"
    return cache_folder() / "verify"  # a user without a home that can be written


@dataclass(frozen=True, slots=True)
class Grading:
    """How, and into which folder, submissions of a bank are graded."""

    sandbox: str
    out: Path
    jobs: int | None = None
    quiet: bool = False

    def of(self, bank: Sequence[KnownSubmission], plan: Plan, part: str) -> list[Graded]:
        """Grade each in the exercises that tell anything, into the part of the folder, where what is
        graded already stays.

        Raises SandboxError where the machine fails on any of them.
        """
        folder = self.out / part
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        asked = {exercise.id for exercise in plan.exercises}
        telling = [known for known in bank if _telling(known, asked)]
        todo = [_job(known, asked) for known in telling]
        display = display_for(Screen(stderr=True), len(todo), quiet=self.quiet)
        course = Course(_brief(plan), self.sandbox)
        with hold(folder), Journal(folder) as journal, display:
            executor = Crew(course, BACKENDS[self.sandbox], self.jobs or cpu_count() or 1)
            try:
                tally = Batch(todo, course, journal, display.tell).run(executor, display.tick)
            finally:
                executor.close()
        if tally.faults:
            raise SandboxError(f"the grader failed on {', '.join(tally.faults[:5])}: try again")
        return [_graded(known, folder / known.name) for known in telling]


def _job(known: KnownSubmission, asked: set[str]) -> Job:
    return Job(HandIn(known.name, ()), submission=_handed_in(known), exercises=_telling(known, asked))


def _telling(known: KnownSubmission, asked: set[str]) -> frozenset[str]:
    """The exercises to grade; where what it is wrong in is not asked, those alone in which it must lose:
    solvers on a wrong Search are right, but that shows only beside the search."""
    return (known.exercises if known.loses <= asked else known.loses) & asked


def _handed_in(known: KnownSubmission) -> Submission:
    """The submission as intake reads it, which puts right what it can."""
    with tempfile.TemporaryDirectory(prefix="maze-grader-") as name:
        folder = Path(name, known.name)
        for path, content in known.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        return read_submission(folder, name=known.name)


def _brief(plan: Plan) -> Plan:
    """The plan without the search for the smallest mazes, which takes long and decides nothing."""
    exercises = tuple(
        replace(
            exercise,
            checks=tuple(replace(check, ladder=None, control_ladder=None) for check in exercise.checks),
        )
        for exercise in plan.exercises
    )
    return replace(plan, exercises=exercises, gallery={})


def _graded(known: KnownSubmission, folder: Path) -> Graded:
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
    )
