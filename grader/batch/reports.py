"""What is written about the whole class when a batch ends: grades.csv and index.html."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grader.batch import page, tables
from grader.batch.journal import Journal
from grader.batch.rows import rows_of
from grader.batch.similarity import pairs_of
from grader.batch.work import Course
from grader.intake.hand_ins import Class
from grader.one import write_whole

PAGE: Final = "index.html"
NAMES: Final = (tables.NAME, PAGE)


def write_reports(out: Path, found: Class, journal: Journal, course: Course) -> None:
    """Write both, each whole or not at all."""
    wall = course.plan.limits.submission_wall_seconds
    rows = list(rows_of(out, found.hand_ins, journal.entries(), wall))
    exercises = [exercise.id for exercise in course.plan.exercises]
    write_whole(out / tables.NAME, tables.grades_csv(rows, exercises))
    alike = pairs_of(journal.code(row.name for row in rows if row.status == "graded"))
    write_whole(out / PAGE, page.class_page(rows, alike, found, course).encode())
