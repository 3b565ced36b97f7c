"""Grading one submission from a path to a folder of results."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from grader.engine import grade
from grader.feedback import render_html
from grader.intake import read_submission
from grader.model import Plain, Report, Submission
from grader.plan import Plan, load_plan
from grader.results import as_data, as_json
from grader.sandbox.base import Backend
from grader.sandbox.probe import choose
from grader.summary import table

RESULTS, FEEDBACK = "results.json", "feedback.html"


def grade_one(path: Path, out: Path, sandbox: str, rubric: Path | None, language: str | None) -> str:
    """Grade a folder or archive, write both files to ``out``, and return what to print.

    Raises GraderError; no file is written then.
    """
    plan = load_plan(rubric)
    submission = read_submission(path)
    backend, reason = choose(sandbox)
    print(reason, file=sys.stderr)
    if backend.name == "process":
        print(f"Warning: {backend.isolation}", file=sys.stderr)
    results = graded(submission, plan, backend, out, language)
    return f"{table(results)}\n\nFeedback: {out / FEEDBACK}\nResults:  {out / RESULTS}"


def graded(
    submission: Submission, plan: Plan, backend: Backend, out: Path, language: str | None = None
) -> dict[str, Plain]:
    """Grade a submission and write its results, each file whole or not at all."""
    report: Report = grade(submission, plan, backend)
    results = as_data(report)
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / FEEDBACK, render_html(results, language=language).encode())
    write_whole(out / RESULTS, as_json(results))
    return results


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole, or as it was before."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
