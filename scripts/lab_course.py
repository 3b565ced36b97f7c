"""Regenerate ``lab/course.py`` from the folders of the lab's own exercises, and the shipped rubric."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grader.course.rubric import load_rubric
from grader.exercises.declaration import record
from grader.exercises.registry import titles
from grader.release.kit import course_module
from lab.exercises import LAB_EXERCISES


def main() -> None:
    """Write the module for the exercises that it already contains."""
    records = [record(exercise.id) for exercise in LAB_EXERCISES]
    rubric = load_rubric(None, checks=titles())
    worth = [check for exercise in rubric.exercises for check in exercise.checks]
    Path("lab/course.py").write_text(course_module(records, worth), encoding="utf-8")


if __name__ == "__main__":
    main()
