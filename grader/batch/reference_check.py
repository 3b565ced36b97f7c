"""Before a class is graded: the answers are, in the same sandbox, with the same rubric.

What does not give the answers full marks gives nobody a mark. On the way the reference's answers to
all cases are worked out, once for all workers.
"""

from __future__ import annotations

from grader.batch.job import Course
from grader.errors import SandboxError
from grader.grading.engine import grade
from grader.intake import read_submission
from grader.sandbox.base import Backend
from grader.shipped import folder


def rehearse(course: Course, backend: Backend) -> None:
    """Grade the answers. Raises SandboxError where they do not get full marks."""
    report = grade(read_submission(folder("reference")), course.plan, backend)
    lost = [c.id for e in report.exercises for c in e.checks if c.verdict.status != "passed"]
    if lost:
        raise SandboxError(
            f"the lab's own answers get {report.score:g} of {report.max_score:g} points here "
            f"({', '.join(lost[:3])}), so nobody is graded: see grader doctor"
        )
