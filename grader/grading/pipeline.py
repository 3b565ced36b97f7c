"""Grading one submission from a path to a folder of results."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.course import intake_penalty, late_work, maze_bonus
from grader.course.plan import Plan, load_plan
from grader.course.rubric import Rubric
from grader.disk import write_together, writing
from grader.errors import InputError, Undecided
from grader.feedback import render_html
from grader.feedback.result_table import format_result
from grader.grading.engine import grade
from grader.intake.choice import check_is_one_student
from grader.intake.reading import submission_at
from grader.model import LateJson, Report, ResultsJson, Submission
from grader.reader import Reader
from grader.results import as_data, as_json, as_staff_data, tells_staff_more
from grader.sandbox.base import Backend
from grader.sandbox.probe import choose

RESULTS, FEEDBACK = "results.json", "feedback.html"
STAFF, STAFF_PAGE = "staff.json", "staff.html"
"""The same with what students do not see; the page only where there is any such thing."""


def grade_one(
    path: Path, out: Path, sandbox: str, rubric: Path | None, language: str | None, *, explain: bool = True
) -> str:
    """Grade a folder or archive, write both files to ``out``, and return what to print.

    Raises GraderError; no file is written then.
    """
    plan = load_plan(rubric, explain=explain)
    reader = Reader.of(plan.limits)
    try:
        submission = submission_at(path, reader, check=check_is_one_student)
    except Undecided as error:
        raise InputError(f"{error}: leave only what counts, and give the same command again") from None
    backend, reason = choose(sandbox)
    print(reason, file=sys.stderr)
    if backend.name == "process":
        print(f"Warning: {backend.isolation}", file=sys.stderr)
    results = graded(submission, plan, backend, out, language, reader)
    shown = format_result(results, refused=not submission.holds_an_exercise)
    return f"{shown}\n\nFeedback: {out / FEEDBACK}\nResults:  {out / RESULTS}"


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files of one result, and what it comes to."""

    data: ResultsJson
    results: bytes
    page: bytes
    staff: Mapping[str, bytes]
    """What only staff may see, by the name of the file."""


def outputs_of(
    report: Report, rubric: Rubric, *, language: str | None = None, lateness: LateJson | None = None
) -> Outputs:
    """Return the files of a report, with the mark that remains of its points.

    This is the one place that composes the mark. The rubric's price for what intake had to repair comes off
    first, then its bonus for test mazes is added, and then the cost of being late comes off.
    """

    def marked(data: ResultsJson) -> ResultsJson:
        repaired = intake_penalty.apply(data, report, rubric.repair_cost)
        return late_work.apply(maze_bonus.apply(repaired, report, rubric.my_mazes), lateness)

    data, for_staff = marked(as_data(report, language)), marked(as_staff_data(report, language))
    staff = {STAFF: as_json(for_staff)}
    if tells_staff_more(report):
        staff[STAFF_PAGE] = render_html(for_staff, language=language).encode()
    return Outputs(data, as_json(data), render_html(data, language=language).encode(), staff)


def graded(
    submission: Submission,
    plan: Plan,
    backend: Backend,
    out: Path,
    language: str | None = None,
    reader: Reader | None = None,
) -> ResultsJson:
    """Grade a submission, again if a clock decided, and write its results, each file whole or not at all."""
    report = grade(submission, plan, backend, reader=reader)
    if report.by_clock:
        report = grade(submission, plan, backend)
    found = outputs_of(report, plan.rubric, language=language)
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    write_results(out, found.results, found.page, found.staff)
    return found.data


def write_results(folder: Path, results: bytes, page: bytes, staff: Mapping[str, bytes]) -> None:
    """Write the files of a result, and remove an earlier result's page for staff. Raises DiskError."""
    write_together(folder, {FEEDBACK: page, **staff, RESULTS: results}, gone=(STAFF, STAFF_PAGE))
