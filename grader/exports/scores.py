"""The scores for a platform: filled into its own gradebook if one is given, else as a new table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.disk import write_whole
from grader.exports import new_table
from grader.exports.gradebook import fill_gradebook
from grader.exports.grades_csv import FEEDBACK, RESULTS, read_grades
from grader.exports.groups import add_group_members
from grader.exports.missing_work import load_students_without_work
from grader.exports.pseudonym_key import restore_names
from grader.exports.registry import ExportRequest
from grader.exports.result_files import page_language
from grader.exports.review_items import check_items_closed
from grader.exports.sheet import join_some
from grader.feedback.gradebook_comment import render_comment
from grader.platforms.base import Grade
from grader.platforms.registry import PLATFORMS
from grader.results import read


def export(request: ExportRequest) -> str:
    """Print which marks change, then write the table; return a message with counts and problems."""
    results = request.folder()
    still_open = check_items_closed(results, anyway=request.anyway or request.dry_run)
    named = restore_names(read_grades(results), request.key, results)
    grades = [_apply_refused_policy(grade, request.refused) for grade in named]
    if request.groups:
        grades = add_group_members(grades, request.groups)
    if PLATFORMS[request.what].comments:
        grades = [_add_comment(grade, results) for grade in grades]
    if request.gradebook is None:
        filled = new_table.make_table(request.what, results, grades, request.assignment)
        nothing = load_students_without_work(results)
        still_open += [f"handed in nothing: {join_some(nothing)}"] if nothing else []
    else:
        filled = fill_gradebook(request.what, request.gradebook, grades, request.assignment, request.students)
    if filled.changes:
        print(
            "\n".join(["marks that are there and change:", *(f"  {line}" for line in filled.changes)]),
            flush=True,
        )
    if request.dry_run:
        head = f"{request.out} would hold {filled.written} scores; nothing was written"
    else:
        if request.students and filled.open:
            write_whole(request.students, filled.open)
        write_whole(request.out, filled.content)
        head = f"{request.out}: {filled.written} scores"
    return "\n".join([head, *(f"  {line}" for line in (*filled.problems, *still_open))])


def _add_comment(grade: Grade, results: Path) -> Grade:
    """Add a comment, in the language of the student's page, to a grade that has a score."""
    if grade.score is None:
        return grade
    folder = results / grade.submission
    comment = render_comment(read(folder / RESULTS), language=page_language(folder / FEEDBACK))
    return replace(grade, comment=comment)


def _apply_refused_policy(grade: Grade, refused: str) -> Grade:
    """Set the grade of refused work to 0 points if ``refused`` says so."""
    return replace(grade, score=0.0) if grade.status == "refused" and refused == "zero" else grade
