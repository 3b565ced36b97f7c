"""Grade from Python.

One submission, a folder or an archive:

    from grader.api import grade, load_course, render_html

    course = load_course("inf100/rubric.yaml")      # without a path, the course that ships
    report = grade("ada.zip", course)
    print(report.score, report.max_score)           # 87.5 100.0
    for id_, check in report.checks.items():        # as results.json has them
        print(id_, check["status"], check["message"])
    report.save("results/ada")                      # results.json, feedback.html and what is for staff
    page = render_html(report, language="nb")       # or only the page

A class, a folder of such submissions or a learning platform's download:

    results = grade_class("submissions", "results", course, jobs=4)
    print(results.marks())                          # {"ada": 87.5, "bob": None}
    results.adjust("ada", MarkChange("score", "Grace", "shown in the lab", points=90))

What goes wrong is raised as a ``GraderError``: ``InputError`` for what somebody gave (``RubricError``,
``MazeFileError``, ``IntakeError`` and, where a person has to say which attempt counts, ``Undecided``),
``SandboxError`` where the machine cannot grade, ``DiskError``, and ``Busy`` where another process has the
folder.

``grader serve`` is such a program, too: it uses nothing else of the grader but modules that do not grade. It
asks the ``CourseRules`` who may hand in, gives the ``Workers`` of a course a ``Job`` for each upload, keeps
what is ``Done`` in a ``ResultFolder``, and brings a ``ClassFolder`` up to date with a ``ClassEntry`` for each
student. A ``LookRequest`` is what one asks about a lost check, a ``ReleaseFolder`` what ``grader release``
wrote for them.
"""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Final

from grader import feedback
from grader.batch.class_folder import ClassEntry, ClassFolder, free_name
from grader.batch.class_run import BatchOptions
from grader.batch.class_run import grade_class as _grade_class
from grader.batch.cluster_scheduler import open_cluster
from grader.batch.decisions import MarkChange, read_points
from grader.batch.job import Answer, Course, Done, ExerciseDone, Job, MachineFault
from grader.batch.lanes import Workers, check_course, choose_sandbox, most_seconds_now, start_workers
from grader.batch.requests import LookRequest
from grader.batch.stop_signals import StopRequests, counted_stop_requests
from grader.batch.submission_report import Report, ResultFolder
from grader.batch.upload_check import UploadReading, names_tell
from grader.batch.workers import die_with_parent
from grader.batch.write_comments import LineComment
from grader.course.plan import load_plan
from grader.course.rules import CourseRules, load_rules
from grader.disk import Busy
from grader.errors import (
    DiskError,
    GraderError,
    InputError,
    IntakeError,
    MazeFileError,
    RubricError,
    SandboxError,
    Undecided,
)
from grader.exports.grades_csv import encode_csv
from grader.grading.engine import graded_alone
from grader.intake import Caps, safe_name
from grader.intake.choice import check_is_one_student
from grader.intake.submissions import submission_at
from grader.reader import Reader
from grader.release.release_folder import ReleaseFolder
from grader.sandbox.base import AUTO, choose

AnyPath = str | PathLike[str]
LARGEST_ARCHIVE_BYTES: Final = Caps().archive_bytes
"""Archives with more bytes are not read."""


def load_course(path: AnyPath | None = None, *, sandbox: str = AUTO, language: str | None = None) -> Course:
    """Read a course from its rubric, or from the folder with its rubric.yaml, and draw its cases.

    It is graded in the strongest sandbox, and its pages are in the rubric's language, unless others are
    named. Raises RubricError or MazeFileError with file, line and column.
    """
    return Course(load_plan(_rubric(path)), sandbox, language)


def grade(path: AnyPath, course: Course | None = None, sandbox: str = AUTO) -> Report:
    """Grade one submission, a folder or an archive, by a course or by the one that ships.

    Raises InputError, SandboxError, or Undecided where a person has to say what of it counts.
    """
    course = course or load_course()
    reader = Reader.of(course.plan.limits)
    submission = submission_at(Path(path), reader, check=check_is_one_student)
    backend, _ = choose(course.sandbox if sandbox == AUTO else sandbox)
    found = graded_alone(submission, course.plan, backend, course.language, reader)
    return Report(found.data, found.staff, course.language)


def grade_class(
    path: AnyPath,
    out: AnyPath,
    course: Course | None = None,
    jobs: int | None = None,
    *,
    students: str | None = None,
) -> ClassFolder:
    """Grade a class as ``grader batch`` does, and return the folder with its results.

    ``path`` is a folder of submissions, or a learning platform's download; ``students`` is a glob of what is
    one student's each, where that lies deeper. Without a course, it is the one that ``out`` was graded with
    before. Who has no mark is told on standard error, too. Raises InputError, SandboxError or DiskError.
    """
    asked = BatchOptions(Path(path), Path(out), jobs, students=students, quiet=True)
    if course is not None:
        sandbox = None if course.sandbox == AUTO else course.sandbox
        asked = replace(asked, rubric=course.path, sandbox=sandbox, language=course.language)
    _grade_class(asked)
    return ClassFolder(Path(out))


def _rubric(path: AnyPath | None) -> Path | None:
    """Return the path of a rubric, which may be given by its folder."""
    if path is None:
        return None
    return Path(path) / "rubric.yaml" if Path(path).is_dir() else Path(path)


def render_html(report: Report, language: str | None = None) -> str:
    """Return the page with the feedback of a report, in the language of its course or in another."""
    return feedback.render_html(report.data, language=language or report.language)


__all__ = [
    "LARGEST_ARCHIVE_BYTES",
    "Answer",
    "Busy",
    "ClassEntry",
    "ClassFolder",
    "Course",
    "CourseRules",
    "DiskError",
    "Done",
    "ExerciseDone",
    "GraderError",
    "InputError",
    "IntakeError",
    "Job",
    "LineComment",
    "LookRequest",
    "MachineFault",
    "MarkChange",
    "MazeFileError",
    "ReleaseFolder",
    "Report",
    "ResultFolder",
    "RubricError",
    "SandboxError",
    "StopRequests",
    "Undecided",
    "UploadReading",
    "Workers",
    "check_course",
    "choose_sandbox",
    "counted_stop_requests",
    "die_with_parent",
    "encode_csv",
    "free_name",
    "grade",
    "grade_class",
    "load_course",
    "load_rules",
    "most_seconds_now",
    "names_tell",
    "open_cluster",
    "read_points",
    "render_html",
    "safe_name",
    "start_workers",
]
