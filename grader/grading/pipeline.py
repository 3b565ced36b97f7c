"""Grading one submission from a path to a folder of results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.course import repairs
from grader.course.plan import Plan, load_plan
from grader.disk import write_together, writing
from grader.errors import InputError
from grader.feedback import render_html
from grader.feedback.result_table import result_table
from grader.grading.engine import grade
from grader.intake import Caps, is_submission_archive, read_submission
from grader.intake.candidates import is_template
from grader.intake.names import is_junk
from grader.intake.regular_files import read_regular
from grader.model import Report, ResultsJson, Submission
from grader.results import as_data, as_json, as_staff_data, tells_staff_more
from grader.sandbox.base import Backend
from grader.sandbox.probe import choose
from grader.text import visible
from lab.exercises import EXERCISES, Exercise

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
    _check_single(path)
    submission = read_submission(path)
    backend, reason = choose(sandbox)
    print(reason, file=sys.stderr)
    if backend.name == "process":
        print(f"Warning: {backend.isolation}", file=sys.stderr)
    results = graded(submission, plan, backend, out, language)
    shown = result_table(results, refused=not submission.holds_an_exercise)
    return f"{shown}\n\nFeedback: {out / FEEDBACK}\nResults:  {out / RESULTS}"


def _check_single(path: Path) -> None:
    """Raise InputError for a folder of several submissions, of which only one would be graded."""
    if not path.is_dir():
        return
    children = _children(path)
    while len(children) == 1 and children[0].is_dir() and not _is_lab(children[0]):
        children = _children(children[0])
    folders = [child.name for child in children if any(map(_is_lab, [child, *child.glob("*")]))]
    archives = [child.name for child in children if is_submission_archive(child)]
    found = folders or archives
    if len(found) > 1 and not _is_lab(path):
        raise InputError(
            f"expected one submission, found {len(found)} ({', '.join(map(visible, found[:3]))}"
            f"{', …' if len(found) > 3 else ''}): use grader batch for a class, or name one of them",
            path=path,
        )


def _children(folder: Path) -> list[Path]:
    return [child for child in sorted(folder.iterdir()) if not is_junk((child.name,))]


def _is_lab(folder: Path) -> bool:
    """Whether a file of the lab lies where it belongs, and is not as it was handed out."""
    return any(_is_own(folder / exercise.file, exercise) for exercise in EXERCISES)


def _is_own(path: Path, exercise: Exercise) -> bool:
    try:
        return not is_template(read_regular(path, Caps().file_bytes, follow=False), exercise)
    except OSError:
        return False


def graded(
    submission: Submission, plan: Plan, backend: Backend, out: Path, language: str | None = None
) -> ResultsJson:
    """Grade a submission and write its results, each file whole or not at all."""
    report: Report = grade(submission, plan, backend)

    def marked(data: ResultsJson) -> ResultsJson:
        return repairs.apply(data, report, plan.rubric.repair_cost)

    results = marked(as_data(report))
    page = render_html(results, language=language).encode()
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
    write_results(out, as_json(results), page, staff_files(report, marked, language))
    return results


def write_results(folder: Path, results: bytes, page: bytes, staff: Mapping[str, bytes]) -> None:
    """Write the files of a result, and leave no page for staff of an earlier one. Raises DiskError."""
    write_together(folder, {FEEDBACK: page, **staff, RESULTS: results}, gone=(STAFF, STAFF_PAGE))


def staff_files(
    report: Report, marked: Callable[[ResultsJson], ResultsJson], language: str | None = None
) -> dict[str, bytes]:
    """What only staff may see, by the name of the file, with the mark that ``marked`` makes of it."""
    data = marked(as_staff_data(report))
    files = {STAFF: as_json(data)}
    if tells_staff_more(report):
        files[STAFF_PAGE] = render_html(data, language=language).encode()
    return files
