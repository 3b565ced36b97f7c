"""The findings of a verification as a page for staff: one HTML file that loads nothing."""

from __future__ import annotations

from grader.batch.report.templates import render
from grader.verification.findings import Findings


def page(found: Findings, title: str) -> str:
    """Return the page."""
    caught, due = (sum(column) for column in zip(*found.by_exercise.values(), strict=True))
    return render(
        "verification.html.j2",
        title=title,
        found=found,
        score=caught / due if due else None,
        parts=(("checks", "Checks", "check", found.checks), ("mazes", "Test mazes", "maze", found.mazes)),
    )
