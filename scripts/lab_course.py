"""Regenerate ``lab/course.py`` from the folders of the lab's own exercises."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grader.exercises.declaration import record
from grader.release.kit import course_module
from lab.exercises import LAB_EXERCISES


def main() -> None:
    """Write the module, for the exercises that it contains already."""
    records = [record(exercise.id) for exercise in LAB_EXERCISES]
    Path("lab/course.py").write_text(course_module(records), encoding="utf-8")


if __name__ == "__main__":
    main()
