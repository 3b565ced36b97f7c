"""``grader explain``: what a rubric tests."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from grader.commands.common import add_rubric

if TYPE_CHECKING:
    from grader.course.plan import Plan

HELP = "check the rubric and say what it tests"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_rubric(parser)


def run(options: argparse.Namespace) -> int:
    """Print every check of the rubric."""
    from grader.course.plan import load_plan

    print(explanation(load_plan(options.rubric)))
    return 0


def explanation(plan: Plan) -> str:
    """What a rubric tests: every check with its points, cases, CPU seconds and visibility."""
    from grader.session.budgets import budget_of

    rubric = plan.rubric
    total = sum(check.points for check in plan.points.values())
    lines = [
        f"{rubric.title}: {total:g} points, {len(rubric.mazes)} mazes, {rubric.examples} examples a property"
    ]
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
