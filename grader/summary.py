"""Short tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from grader.course.plan import Plan
from grader.feedback.page import page_of
from grader.model import Plain

_BLANK = {"missing": "not handed in", "unwritten": "still to be written"}
"""Exercises with nothing in them to list."""


def table(results: Mapping[str, Plain], *, refused: bool = False) -> str:
    """The points of one submission by exercise, and the checks that were lost; of a refused one, why."""
    score = f"{number(results['score'])} of {number(results['max_score'])} points"
    lines = [f"{results['submission']}: {'refused, ' if refused else ''}{score}"]
    states = [exercise.state for exercise in page_of(results).exercises]
    for exercise, state in zip(results["exercises"], states, strict=True) if not refused else ():
        points = f"{number(exercise['score'])}/{number(exercise['max_score'])}"
        lost = [_BLANK[state]] if state in _BLANK else _lost(exercise)
        lines.append(f"  {points:>7}  {exercise['title']}{': ' if lost else ''}{_few(lost)}")
    lines.extend(f"  note: {note}" for note in results["notes"])
    return "\n".join(lines)


def explanation(plan: Plan) -> str:
    """What a rubric tests: every check with its points, cases and visibility."""
    rubric = plan.rubric
    total = number(sum(check.points for check in plan.points.values()))
    lines = [
        f"{rubric.title}: {total} points, {len(rubric.mazes)} mazes, {rubric.examples} examples a property"
    ]
    for exercise in plan.exercises:
        points = number(sum(plan.points[check.id].points for check in exercise.checks))
        lines.append(f"\n{exercise.title} ({points} points)")
        for check in exercise.checks:
            planned = plan.points[check.id]
            hidden = "  hidden" if planned.visibility == "hidden" else ""
            count = f"{len(check.cases)} case{'s' if len(check.cases) != 1 else ''}"
            lines.append(f"  {number(planned.points):>4}  {check.id:<30} {count:>10}{hidden}")
    return "\n".join(lines)


def number(points: float) -> str:
    """Points without a needless fraction."""
    return f"{points:g}"


def _lost(exercise: Mapping[str, Plain]) -> list[str]:
    return [
        f"{check['title']} ({check['status']})" for check in exercise["checks"] if check["status"] != "passed"
    ]


def _few(lost: list[str]) -> str:
    more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
    return ", ".join(lost[:3]) + more
