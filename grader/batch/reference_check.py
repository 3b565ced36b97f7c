"""The check before a class is graded: does the reference get full marks in this sandbox, by this rubric?

If not, nobody gets a mark. On the way, the reference's answers to all cases are computed and the page
templates compiled, once for all workers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from grader.batch.job import Course
from grader.batch.orchestrator import RETRIES
from grader.batch.worker import works_within
from grader.errors import SandboxError
from grader.feedback import render_html
from grader.grading.engine import grade
from grader.intake import read_submission
from grader.model import Report, Submission
from grader.results import as_data
from grader.sandbox.base import Backend
from grader.sandbox.probe import PATIENCE_SECONDS
from grader.shipped import folder

AFTERWARDS: Final = "repair it, then run the same command again"
"""What to do about a sandbox that does not work."""


def check_reference(
    course: Course,
    backend: Backend,
    tell: Callable[[str], None] = lambda _: None,
    *,
    patience: float = PATIENCE_SECONDS,
) -> None:
    """Grade the reference; if the sandbox fails, report it and wait, as workers do.

    Raises SandboxError if the reference does not get full marks, or the sandbox does not recover.
    """
    report = _grade_reference(course, backend, tell, patience)
    lost = [c.id for e in report.exercises for c in e.checks if c.verdict.status != "passed"]
    if lost:
        raise SandboxError(
            f"the lab's own answers get {report.score:g} of {report.max_score:g} points here "
            f"({', '.join(lost[:3])}), so nobody is graded: see grader doctor"
        )
    render_html(as_data(report), language=course.language)


def _grade_reference(
    course: Course, backend: Backend, tell: Callable[[str], None], patience: float
) -> Report:
    for _ in range(RETRIES):
        try:
            return grade(_load_reference(course), course.plan, backend)
        except SandboxError as error:
            tell(f"the sandbox fails, and is waited for, {patience:g} seconds at most: {error}")
            if not works_within(patience, lambda: backend):
                raise SandboxError(f"{error}; it was waited for in vain: {AFTERWARDS}") from error
    return grade(_load_reference(course), course.plan, backend)


def _load_reference(course: Course) -> Submission:
    """Load the lab's reference, and those of the exercises that the course adds."""
    reference = read_submission(folder("reference"))
    own = {each.file: each.reference.encode() for each in course.plan.rubric.own_exercises}
    return replace(reference, files={**reference.files, **own})
