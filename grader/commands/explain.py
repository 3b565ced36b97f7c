"""``grader explain``: validate a rubric, and print what it tests."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from grader.commands.common import add_rubric
from grader.languages import languages, missing_texts

if TYPE_CHECKING:
    from grader.course.plan import Plan
    from grader.course.rubric import Rubric

HELP = "validate a rubric, and print every check with its points, cases and limits"
EXAMPLE = "grader explain --rubric course/rubric.yaml"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_rubric(parser)


def run(options: argparse.Namespace) -> int:
    """Print every check of the rubric."""
    from grader.course.plan import load_plan

    print(explanation(load_plan(options.rubric)))
    return 0


def explanation(plan: Plan) -> str:
    """Describe what a rubric tests: checks with points, cases, seconds, visibility; penalties; attempts."""
    from grader.session.budgets import budget_of

    rubric = plan.rubric
    total = sum(check.points for check in plan.points.values())
    lines = [
        f"{rubric.title}: {total:g} points, {len(rubric.mazes)} mazes, {rubric.examples} examples a property"
    ]
    lines += [*_penalty_lines(rubric), *_attempt_lines(rubric), *_language_lines()]
    for exercise in plan.exercises:
        points = sum(plan.points[check.id].points for check in exercise.checks)
        lines.append(f"\n{exercise.title} ({points:g} points)")
        for check in exercise.checks:
            planned = plan.points[check.id]
            hidden = "  hidden" if planned.visibility == "hidden" else ""
            count = f"{len(check.cases)} case{'s' if len(check.cases) != 1 else ''}"
            seconds = max(budget_of(case.call, rubric.limits).cpu_seconds for case in check.cases)
            lines.append(
                f"  {planned.points:>4g}  {check.id:<30} {count:>10}  {seconds:>3.0f} s a call{hidden}"
            )
    return "\n".join(lines)


def _penalty_lines(rubric: Rubric) -> list[str]:
    """Return the lines about penalties: for files that had to be repaired, and for lateness."""
    lines, late = [], rubric.late
    if rubric.repair_cost:
        lines.append(f"files that had to be repaired before grading: {rubric.repair_cost:g} points off, once")
    if rubric.my_mazes is not None:
        wanted = rubric.my_mazes
        lines.append(
            f"test mazes of one's own that catch {wanted.mistakes} typical mistakes: {wanted.bonus:g} points "
            "on top, and a part of them for fewer"
        )
    if late is not None:
        by_day = f"{late.per_day:g} % off for each day that has begun"
        cost = by_day if late.per_day else "nothing off by the day"
        grace = f", {late.grace_minutes:g} minutes more cost nothing" if late.grace_minutes else ""
        end = (
            f", no points after {late.max_days} day{'s' * (late.max_days != 1)}"
            if late.max_days is not None
            else ""
        )
        until = f"{late.deadline:%A, %d %B %Y, %H:%M:%S} ({late.deadline.isoformat()})"
        lines.append(f"late after {until}: {cost}{grace}{end}")
    if rubric.partial:
        part = f"{rubric.partial:.0%}".replace("%", " %")
        rule = "a check of which at least 9 of 10 cases are right, small and large ones weighing alike, gives"
        lines.append(f"partial: {rule} {part} of its points")
        bound = "few ordinary mazes (up to 20 x 20) wrong: an exercise loses at most a third of its points"
        lines.append(f"proportion: {bound}")
    return lines


def _language_lines() -> list[str]:
    """Return a line for each language that lacks texts, which then appear in English."""
    counted = ((code, *missing_texts(code)) for code in languages())
    return [
        f"language {code}: {lacking} of {count} texts are missing, and English"
        for code, lacking, count in counted
        if lacking
    ]


def _attempt_lines(rubric: Rubric) -> list[str]:
    """Return the lines about attempts and feedback in ``grader serve``."""
    lines, allowed = [], rubric.attempts
    if allowed.burst is not None:
        lines.append(f"grader serve: {allowed.burst} attempts at once, {allowed.per_hour:g} more an hour")
    if allowed.counts == "last":
        lines.append("grader serve: the last attempt counts")
    if rubric.hidden_feedback == "after_deadline" and rubric.late:
        lines.append(f"grader serve: hidden checks are told after {rubric.late.deadline.isoformat()}")
    return lines
