"""Before a class is graded: the answers are, in the same sandbox, with the same rubric.

What does not give the answers full marks gives nobody a mark. On the way the reference's answers to
all cases are worked out, and the templates of pages made ready, once for all workers.
"""

from __future__ import annotations

from dataclasses import replace

from grader.batch.job import Course
from grader.errors import SandboxError
from grader.feedback import render_html
from grader.grading.engine import grade
from grader.intake import read_submission
from grader.model import Submission
from grader.results import as_data
from grader.sandbox.base import Backend
from grader.shipped import folder


def rehearse(course: Course, backend: Backend) -> None:
    """Grade the answers. Raises SandboxError where they do not get full marks."""
    report = grade(_answers(course), course.plan, backend)
    lost = [c.id for e in report.exercises for c in e.checks if c.verdict.status != "passed"]
    if lost:
        raise SandboxError(
            f"the lab's own answers get {report.score:g} of {report.max_score:g} points here "
            f"({', '.join(lost[:3])}), so nobody is graded: see grader doctor"
        )
    render_html(as_data(report), language=course.language)


def _answers(course: Course) -> Submission:
    """The lab's answers, with those of the exercises that the course adds."""
    reference = read_submission(folder("reference"))
    own = {each.file: each.reference.encode() for each in course.plan.rubric.own_exercises}
    return replace(reference, files={**reference.files, **own})
