"""The result of a submission that could not be graded: it has no mark, rather than a mark of zero."""

from __future__ import annotations

from collections.abc import Iterator

from grader.batch.job import Course
from grader.batch.report.templates import render
from grader.errors import Undecided
from grader.languages import catalogue, said
from grader.model import CheckResult, ChoiceJson, ExerciseResult, Report, ResultsJson, Verdict, note
from grader.results import as_data, as_json
from grader.text import all_visible, visible

_SKIPPED = Verdict("skipped", said("not_graded"))


def make_fault_result(
    name: str, reason: str, course: Course, choice: ChoiceJson | None = None
) -> tuple[bytes, bytes]:
    """Return a results.json with a key "fault", and a page that says why there is no mark."""
    rubric = course.plan.rubric
    why = note(said("no_fault", reason=reason))
    language = course.language or rubric.language
    report = Report(
        name, course.sandbox, rubric.title, "", tuple(_exercises(course)), language=language, remarks=(why,)
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


def _exercises(course: Course) -> Iterator[ExerciseResult]:
    """Yield each exercise with all its checks skipped."""
    for exercise in course.plan.exercises:
        planned = [(check, course.plan.points[check.id]) for check in exercise.checks]
        checks = (CheckResult(c.id, c.title, p.points, p.visibility, _SKIPPED) for c, p in planned)
        yield ExerciseResult(exercise.id, exercise.title, tuple(checks))
