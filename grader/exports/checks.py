"""A table with one line per check and student, for a course's own statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from grader.disk import write_whole
from grader.exports.grades_csv import encode_csv, list_class_results, read_grades, restore_names
from grader.exports.registry import ExportRequest
from grader.platforms.base import Grade, Line
from grader.results import is_unwritten, read

HEAD: Final = (
    "submission", "student", "id", "exercise", "check", "visibility", "status", "score", "max_score",
    "withdrawn", "misconception", "message", "open",
)  # fmt: skip


def export(request: ExportRequest) -> str:
    """Write the table; return a message with its size. Raises InputError."""
    results = request.folder()
    grades = read_grades(results)
    if request.key:
        grades = restore_names(grades, request.key, results)
    lines = list(_lines(results, {grade.submission: grade for grade in grades}))
    write_whole(request.out, encode_csv([HEAD, *lines]))
    return f"{request.out}: {len(lines)} checks of {len(grades)} submissions"


def _lines(folder: Path, grades: Mapping[str, Grade]) -> Iterator[Line]:
    """Yield the checks as the grader judged them; none for work that could not be graded."""
    for submission, path in list_class_results(folder).items():
        results, grade = read(path), grades[submission]
        if "fault" in results:
            continue
        withdrawn = results.get("withdrawn", {}).get("checks", {})
        for exercise in results["exercises"]:
            unwritten = is_unwritten(exercise)
            for check in exercise["checks"]:
                yield [
                    *(grade.name, grade.student, grade.id, exercise["id"], check["id"], check["visibility"]),
                    "unwritten" if unwritten else check["status"],
                    *(check["score"], check["max_score"]),
                    "yes" if check["id"] in withdrawn else "",
                    (check.get("misconception") or {"id": ""})["id"],
                    "" if check["status"] == "passed" else check["message"],
                    ", ".join(grade.open),
                ]
