"""The scores for a platform: filled into its own gradebook if one is given, else as a new table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from grader.disk import write_whole
from grader.errors import InputError
from grader.exports.chosen_students import join_some, load_students_without_work
from grader.exports.gradebook import (
    OPEN_POINTS,
    FilledGradebook,
    add_column,
    add_group_members,
    explain_missing_score,
    fill_gradebook,
)
from grader.exports.grades_csv import (
    FEEDBACK,
    RESULTS,
    check_platform,
    encode_csv,
    format_points,
    page_language,
    read_grades,
    restore_names,
)
from grader.exports.registry import ExportRequest
from grader.feedback.markdown import render_comment
from grader.platforms.base import PLATFORMS, Grade, Line
from grader.results import read
from grader.text import visible


def make_table(
    name: str, results: Path, grades: Sequence[Grade], assignment: str | None = None
) -> FilledGradebook:
    """Make a table from the results alone, in the format that a platform imports.

    What is open is left out, and submissions of which the platform could not tell whose they are, since they
    have one name.
    Raises InputError if the results came from another platform, or contain no score.
    """
    check_platform(name, grades, results)
    foreign = next((grade for grade in grades if grade.platform not in ("", name)), None)
    if foreign:
        raise InputError(
            f"expected the gradebook of {name.title()}, in which the ids of {foreign.platform.title()} are "
            "looked up: name it by --gradebook",
            path=results,
        )
    is_download = any(grade.platform for grade in grades)
    problems: list[str] = []
    taken: dict[str, list[Grade]] = {}
    for grade in grades:
        if grade.score is None:
            problems.append(f"{explain_missing_score(grade)}; left out")
        elif is_download and not grade.platform:
            problems.append(f"{grade.name}: not from {name.title()}; left out")
        else:
            taken.setdefault(grade.user, []).append(grade)
    if not taken:
        raise InputError("expected results with a score, found none", path=results)
    sure = [theirs[0] for theirs in taken.values() if len(theirs) == 1 and not theirs[0].open]
    problems += [
        f"{join_some([each.name for each in theirs])}: of one name, {user}; left out"
        for user, theirs in taken.items()
        if len(theirs) > 1
    ]
    if not is_download:
        problems.append(
            f"students are called as their folders are: each has to be a user name in {name.title()}"
        )
    lines = PLATFORMS[name].table(sure, assignment or _title(results, next(iter(taken.values()))[0]))
    return FilledGradebook(encode_csv(_with_open_points(lines, sure)), len(sure), tuple(problems))


def _with_open_points(lines: Iterable[Line], grades: Sequence[Grade]) -> list[Line]:
    """Add the column of the points that nobody has marked yet, where there are any."""
    table = [[*line] for line in lines]
    if any(grade.unmarked for grade in grades):
        told = ["", *(format_points(grade.unmarked or None) for grade in grades)]
        add_column(table, [OPEN_POINTS, *[""] * (len(table) - len(told)), *told[1:]])
    return [*table]


def _title(results: Path, grade: Grade) -> str:
    return str(read(results / grade.submission / RESULTS).get("title") or "Lab")


def export(request: ExportRequest) -> str:
    """Print which marks change, then write the table; return a message with counts and problems."""
    results = request.folder()
    grades = _read(request, results)
    still_open = _tell_open(grades, request)
    if PLATFORMS[request.what].comments:
        grades = [_add_comment(grade, results) for grade in grades]
    if request.anyway:
        grades = [replace(grade, open=()) for grade in grades]
    if request.gradebook is None:
        filled = make_table(request.what, results, grades, request.assignment)
        nothing = load_students_without_work(results)
        still_open += [f"handed in nothing: {join_some(nothing)}"] if nothing else []
    else:
        filled = fill_gradebook(
            *(request.what, request.gradebook, grades, request.assignment, request.students),
            over=request.over,
        )
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


def _read(request: ExportRequest, results: Path) -> list[Grade]:
    """Return the grades of all students, those of groups included."""
    grades = restore_names(read_grades(results), request.key, results)
    if request.refused == "zero":
        grades = [_decided(grade) if grade.status == "refused" else grade for grade in grades]
    return add_group_members(grades, request.groups) if request.groups else grades


def _decided(grade: Grade) -> Grade:
    """Return the grade of refused work that counts as zero, which decides what was open about it."""
    return replace(grade, score=0.0, open=tuple(kind for kind in grade.open if kind != "refused"))


def _tell_open(grades: Sequence[Grade], request: ExportRequest) -> list[str]:
    """Return a line that names whose marks are open, and what becomes of them."""
    named = [
        f"{visible(grade.name)} ({', '.join(grade.open)})"
        for grade in grades
        if grade.open and grade.score is not None
    ]
    if not named:
        return []
    waiting = [
        f"{visible(grade.name)} ({format_points(grade.unmarked)})"
        for grade in grades
        if grade.unmarked and grade.score is not None
    ]
    unmarked = [f"{len(waiting)} not marked yet, with points still to come: {join_some(waiting)}"]
    told = unmarked if waiting else []
    if request.anyway:
        return [*told, f"open, and written anyway: {'; '.join(named)}"]
    left = "as they were" if request.gradebook else "out"
    how = "grader review lists what is to be decided, and --anyway writes the marks that they have"
    return [*told, f"open, so left {left}: {'; '.join(named)}; {how}"]


def _add_comment(grade: Grade, results: Path) -> Grade:
    """Add a comment, in the language of the student's page, to a grade that has a score."""
    if grade.score is None:
        return grade
    folder = results / grade.submission
    language, is_open = page_language(folder / FEEDBACK), bool(grade.open)
    comment = render_comment(read(folder / RESULTS), language=language, is_open=is_open)
    return replace(grade, comment=comment)
