"""The scores for a platform: into its own gradebook where one is given, else as a new table."""

from __future__ import annotations

from grader.exports import new_table
from grader.exports.gradebook import fill
from grader.exports.grades_csv import read_grades
from grader.exports.registry import Request


def export(request: Request) -> str:
    """Write the table; return how many scores it has, and what is without one."""
    results = request.folder()
    grades = read_grades(results)
    if request.gradebook is None:
        filled = new_table.make(request.what, results, grades, request.assignment)
    else:
        filled = fill(request.what, request.gradebook, grades, request.assignment)
    request.out.write_bytes(filled.content)
    told = [f"{request.out}: {filled.written} scores", *(f"  {problem}" for problem in filled.problems)]
    return "\n".join(told)
