"""``grader explain``: validate a rubric, and print what it tests."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.commands.common import add_rubric, add_sandbox, tell
from grader.languages import languages, missing_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.course.plan import Plan
    from grader.course.rubric import Rubric

HELP = "print every check of a rubric with its points, cases and limits, and what to mend in the course"
EXAMPLE = "grader explain --rubric course/rubric.yaml"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_rubric(parser)
    add_sandbox(parser)
    parser.add_argument(
        "--defaults", action="store_true", help="print all keys of a rubric with their defaults, and stop"
    )


def run(options: argparse.Namespace) -> int:
    """Print every check of the rubric, and what to mend; return 1 if there is anything."""
    from grader.course.key_reference import commented_defaults
    from grader.course.plan import load_plan

    if options.defaults:
        print(commented_defaults())
        return 0
    plan = load_plan(options.rubric, tell=tell)
    print(explanation(plan), flush=True)
    found = [*_trouble(plan, options.sandbox)]
    if found:
        print("\n" + "\n".join(["Mend this before anybody is graded:", *(f"- {each}" for each in found)]))
    return 1 if found else 0


def _trouble(plan: Plan, sandbox: str) -> Iterator[str]:
    """Yield why the course could not be released, and what is wrong with exercises of its own."""
    from grader.course.exercise_trial import slow_judge
    from grader.exercises.kit.folders.code import KNOWN
    from grader.release.kit import kit_of
    from grader.release.proof import refusal
    from grader.release.secrets import collect_secrets
    from lab.template import template_folder

    makes_kits = template_folder() is not None  # where submissions are graded alone, there is no template
    tell("looking through the kit, and trying its functions in each exercise")
    if makes_kits and (told := refusal(kit_of(plan), collect_secrets(plan))):
        yield f"grader release refuses it, since {told}"
    for exercise in plan.exercises:
        if exercise.id in KNOWN and (told := slow_judge(KNOWN[exercise.id], exercise.checks)):
            yield told
    yield from _untrue_samples(plan, sandbox)


def _untrue_samples(plan: Plan, sandbox: str) -> Iterator[str]:
    """Grade skeletons and samples of exercises that do not ship; yield which get what they must not."""
    from grader.course.exercise_folder import shipped_folders

    ships = shipped_folders().values()
    own = {each.id: each for each in plan.rubric.own_exercises if each.folder not in ships}
    if not own:
        return
    tell(f"grading the samples of {', '.join(own)}")
    from grader.sandbox.probe import choose
    from grader.verification.bank import course_submissions
    from grader.verification.bank_grading import Grading, cache
    from grader.verification.findings import find

    _, *known = course_submissions([*own.values()])
    asked = replace(plan, exercises=tuple(each for each in plan.exercises if each.id in own))
    found = find(Grading(choose(sandbox)[0].name, cache(), quiet=True).grade(known, asked, "explain"), asked)
    yield from (*found.missed, *found.punished)


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
            usual = f"  one answer is right in {len(check.cases) - len(check.rare)}" if check.rare else ""
            lines.append(
                f"  {planned.points:>4g}  {check.id:<30} {count:>10}  {seconds:>3.0f} s a call{hidden}{usual}"
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
