"""Grading a bank as a class is graded, by the same workers and journal: it can be stopped, and goes on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import cpu_count
from pathlib import Path
from typing import Any

from rich.console import Console

from grader.batch.job import Course, Job
from grader.batch.journal import Journal
from grader.batch.local_workers import Crew
from grader.batch.lock import hold
from grader.batch.orchestrator import Batch
from grader.batch.progress import display_for
from grader.course.plan import Plan
from grader.errors import SandboxError
from grader.grading.pipeline import RESULTS, STAFF
from grader.intake.class_listing import HandIn
from grader.model import Submission
from grader.sandbox.registry import BACKENDS
from grader.verification.bank import Known


@dataclass(frozen=True, slots=True)
class Graded:
    """What a submission of the bank got."""

    known: Known
    scores: dict[str, tuple[float, float]]
    """Points and the most there are, by exercise."""
    lost: dict[str, tuple[str, ...]]
    """The checks that failed, by exercise."""
    messages: dict[str, str]
    """What was wrong, by check."""
    wrong_mazes: dict[str, list[str]]
    """The test mazes on which a check failed, by check."""
    margins: dict[str, Any]


def grade_bank(
    bank: Sequence[Known],
    plan: Plan,
    sandbox: str,
    out: Path,
    *,
    jobs: int | None = None,
    quiet: bool = False,
) -> list[Graded]:
    """Grade all of it into a folder, where what is graded already is left as it is.

    Raises SandboxError where the machine fails on any of them.
    """
    out.mkdir(parents=True, exist_ok=True)
    course = Course(plan, sandbox)
    todo = [Job(HandIn(known.name, ()), submission=Submission(known.name, known.files)) for known in bank]
    display = display_for(Console(stderr=True), len(todo), quiet=quiet)
    with hold(out), Journal(out) as journal, display:
        executor = Crew(course, BACKENDS[sandbox], jobs or cpu_count() or 1)
        try:
            tally = Batch(todo, course, journal, display.tell).run(executor, display.tick)
        finally:
            executor.close()
    if tally.faults:
        raise SandboxError(f"the grader failed on {', '.join(tally.faults[:5])}: try again")
    return [_graded(known, out / known.name) for known in bank]


def grade_by_exercise(
    bank: Sequence[Known], plan: Plan, sandbox: str, out: Path, *, jobs: int | None = None, quiet: bool
) -> list[Graded]:
    """Grade submissions that are wrong in one exercise in that one alone."""
    graded: list[Graded] = []
    for exercise in plan.exercises:
        of_this = [known for known in bank if exercise.id in known.loses]
        if of_this:
            alone = replace(plan, exercises=(exercise,))
            graded += grade_bank(of_this, alone, sandbox, out / exercise.id, jobs=jobs, quiet=quiet)
    return graded


def _graded(known: Known, folder: Path) -> Graded:
    results = json.loads((folder / RESULTS).read_bytes())
    staff = json.loads((folder / STAFF).read_bytes())
    exercises = results["exercises"]
    failed = {
        each["id"]: [c for c in each["checks"] if c["status"] != "passed"] for each in staff["exercises"]
    }
    return Graded(
        known,
        {each["id"]: (each["score"], each["max_score"]) for each in exercises},
        {id_: tuple(check["id"] for check in checks) for id_, checks in failed.items()},
        {check["id"]: check["message"] for checks in failed.values() for check in checks},
        staff["wrong_mazes"],
        staff["margins"],
    )
