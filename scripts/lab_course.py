"""Regenerate ``lab/course.py`` and the drawn cases of the public tests for the shipped rubric."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grader.course.plan import load_plan
from grader.exercises.declaration import record
from grader.release.cases import FILE as CASES
from grader.release.kit import course_module, kit_of
from lab.exercises import LAB_EXERCISES


def main() -> None:
    """Write both for the exercises that the module already contains."""
    records = [record(exercise.id) for exercise in LAB_EXERCISES]
    plan = load_plan()
    Path("lab/course.py").write_text(course_module(records, plan.points.values()), encoding="utf-8")
    kit = kit_of(plan).files
    for kind in {each.kind for each in records}:
        place = f"student_template/{CASES.format(kind)}"
        Path(place).write_bytes(kit[place])


if __name__ == "__main__":
    main()
