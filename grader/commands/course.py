"""``grader course``, ``explain`` and ``refresh``: start a course, look at it, and make next year's."""

from __future__ import annotations

import argparse
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import (
    SEEDS,
    Command,
    add_bank,
    add_command,
    add_language,
    add_rubric,
    add_sandbox,
    expect_empty,
    tell,
    text_option,
    whole_number,
)
from grader.commands.release import select_submissions
from grader.errors import InputError
from grader.languages import languages, missing_texts
from lab.exercises import LAB_EXERCISES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.course.plan import Plan
    from grader.course.rubric import Rubric, RubricExercise
    from grader.refresh import LeakedMaze, RenewedMaze

LONG_SEED = 2**48
"""So many seeds are not tried: to draw the mazes of one takes some milliseconds."""
_EXAMPLE = "grader course new autumn --exercises search,dfs,bfs,graph"


def random_seed() -> int:
    """Draw a seed that nobody finds by trying."""
    return SEEDS // 2 + secrets.randbelow(SEEDS // 2)


def _add_course(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND", dest="part")
    new = add_command(
        commands, "new", "write a rubric with its test mazes, to be changed and graded with", _EXAMPLE
    )
    new.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder for the course")
    new.add_argument(
        "--exercises",
        type=lambda text: tuple(filter(None, (part.strip() for part in text_option(text).split(",")))),
        default=tuple(each.id for each in LAB_EXERCISES),
        metavar="ID,ID",
        help="the exercises in their order; all that ship can be taken (default: the lab's six)",
    )
    new.add_argument("--title", type=text_option, help="the title of the feedback (default: the lab's)")
    add_language(new, "the language of the feedback and the handout (default: English)")
    new.add_argument(
        "--seed",
        type=whole_number(0, SEEDS - 1),
        metavar="N",
        help="the seed of the random mazes (default: a random one)",
    )
    new.set_defaults(run_part=_new)


def _new(options: argparse.Namespace) -> int:
    """Write the course; print its points and the next steps."""
    from grader.course.course_folder import NewCourse, create_course
    from grader.errors import InputError

    expect_empty(options.folder)
    if not options.exercises:
        raise InputError("--exercises: expected at least one")
    seed = random_seed() if options.seed is None else options.seed
    wanted = NewCourse(options.exercises, seed, options.title or "", options.language or "")
    print("\n".join(_report(create_course(wanted, options.folder, tell), options.folder)))
    return 0


def _report(exercises: Sequence[RubricExercise], out: Path) -> list[str]:
    """Return lines that say what was written, and what to do next."""
    worth = {each.id: sum(check.points for check in each.checks) for each in exercises}
    width = max(map(len, worth))
    rubric, folder = shlex.quote(f"{out}/rubric.yaml"), shlex.quote(str(out))
    return [
        f"Written to {out}: a rubric of 100 points, and the test mazes that ship. Both are yours to change.",
        *(f"  {id_:<{width}} {round(points, 1):>6g}" for id_, points in worth.items()),
        "",
        f"What is tested:      grader explain --rubric {rubric}",
        f"What students get:   grader release --rubric {rubric} --out kit",
        f"A class to grade:    grader batch submissions --rubric {rubric} --out results",
        f"A page to hand in:   grader serve --course {folder} --data data",
        f"Fresh hidden mazes:  grader refresh --from {folder} --out NEW",
    ]


COURSE = Command(
    "begin a course of your own", _EXAMPLE, _add_course, lambda options: int(options.run_part(options))
)


def _add_explain(parser: argparse.ArgumentParser) -> None:
    add_rubric(parser)
    add_sandbox(parser)
    parser.add_argument(
        "--defaults", action="store_true", help="print all keys of a rubric with their defaults, and stop"
    )


def _run_explain(options: argparse.Namespace) -> int:
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
    from grader.course.exercise_trial import sleeps, slow_judge
    from grader.exercises.kit.folders.code import KNOWN
    from grader.release.kit import kit_of
    from grader.release.secrets import collect_secrets, refusal
    from lab.template import template_folder

    makes_kits = template_folder() is not None  # where submissions are graded alone, there is no template
    tell("looking through the kit, and trying its functions in each exercise")
    if makes_kits and (told := refusal(kit_of(plan), collect_secrets(plan))):
        yield f"grader release refuses it, since {told}"
    for exercise in plan.exercises:
        if (own := KNOWN.get(exercise.id)) is not None:
            yield from filter(None, (*sleeps(own), slow_judge(own, exercise.checks)))
    yield from _untrue_samples(plan, sandbox)


def _untrue_samples(plan: Plan, sandbox: str) -> Iterator[str]:
    """Grade skeletons and samples of exercises that do not ship; yield which get what they must not."""
    from grader.course.exercise_folder import shipped_folders

    ships = shipped_folders().values()
    own = {each.id: each for each in plan.rubric.own_exercises if each.folder not in ships}
    if not own:
        return
    tell(f"grading the samples of {', '.join(own)}")
    from grader.sandbox.base import choose
    from grader.sandbox.contents import kept_folder
    from grader.verification.bank import Grading, course_submissions
    from grader.verification.findings import find

    _, *known = course_submissions([*own.values()])
    asked = replace(plan, exercises=tuple(each for each in plan.exercises if each.id in own))
    grading = Grading(choose(sandbox)[0].name, kept_folder("verify"), quiet=True)
    found = find(grading.grade(known, asked, "explain"), asked)
    yield from (*found.missed, *found.punished)


def explanation(plan: Plan) -> str:
    """Describe what a rubric tests: checks with points, cases, seconds, visibility; penalties; attempts."""
    from grader.course.exercise_trial import has_one_answer
    from grader.exercises.kit.folders.code import KNOWN
    from grader.session.connection import budget_of

    rubric = plan.rubric
    total = sum(check.points for check in plan.points.values())
    lines = [
        f"{rubric.title}: {total:g} points, {len(rubric.mazes)} mazes, {rubric.examples} examples a property"
    ]
    cpu, wall = rubric.limits.submission_cpu_seconds, rubric.limits.submission_wall_seconds
    all_of = f"{cpu:g} s of a processor, and {wall:g} s on the wall"
    lines += [f"time: all calls of a submission together may take {all_of}"]
    lines += [*_penalty_lines(rubric), *_attempt_lines(rubric), *_language_lines()]
    if rubric.seed < LONG_SEED:
        lines.append(
            "seed: it is short, so whoever tries them all finds the hidden mazes that are drawn from it; a "
            "long one is drawn by grader course new, and by grader refresh"
        )
    for exercise in plan.exercises:
        points = sum(plan.points[check.id].points for check in exercise.checks)
        lines.append(f"\n{exercise.title} ({points:g} points)")
        for check in exercise.checks:
            planned = plan.points[check.id]
            hidden = "  hidden" if planned.visibility == "hidden" else ""
            if check.by_person:
                lines.append(f"  {planned.points:>4g}  {check.id:<30} marked by a person{hidden}")
                continue
            count = f"{len(check.cases)} case{'s' if len(check.cases) != 1 else ''}"
            seconds = max(budget_of(case.call, rubric.limits).cpu_seconds for case in check.cases)
            usual = f"  one answer is right in {len(check.cases) - len(check.rare)}" if check.rare else ""
            if exercise.id in KNOWN and has_one_answer(KNOWN[exercise.id], check):
                usual = "  one answer is right in all of them: whoever always gives it has the points"
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
        if late.deadline < datetime.now(UTC):
            lines.append("late: that deadline is over, so whatever is handed in from now on is late")
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


EXPLAIN = Command(
    "print every check of a rubric with its points, cases and limits, and what to mend in the course",
    "grader explain --rubric course/rubric.yaml",
    _add_explain,
    _run_explain,
)


_PLACES = 3
"""The most places that are printed for each leaked maze."""


def _add_refresh(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="old",
        type=Path,
        required=True,
        metavar="OLD",
        help="this year's rubric, or the folder with its rubric.yaml",
    )
    parser.add_argument(
        "--out", type=Path, metavar="NEW", help="write next year's course into this new or empty folder"
    )
    parser.add_argument(
        "--results", type=Path, action="append", default=[], metavar="DIR",
        help="results of grader batch this year, to find mazes that students have seen; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--seed",
        type=whole_number(0, SEEDS - 1),
        metavar="N",
        help="the seed of the new rubric (default: a random one)",
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="the folder for intermediate results (default: in the cache)"
    )
    add_bank(parser)


def _run_refresh(options: argparse.Namespace) -> int:
    """Print which hidden mazes have leaked; write the new course if ``--out`` is given."""
    from grader.course.plan import load_plan
    from grader.exports.gradescope import course_files
    from grader.refresh import collect_student_material, find_leaked_mazes, write_course

    plan = load_plan(options.old / "rubric.yaml" if options.old.is_dir() else options.old)
    seed = _seed(options, plan)
    if options.out is not None:
        expect_empty(options.out)
    seen = collect_student_material(plan, options.results)
    print("\n".join(_report_leaks(find_leaked_mazes(plan, seen), len(seen.pages))))
    if options.out is not None:
        from grader.refresh import renew_mazes
        from grader.sandbox.base import choose
        from grader.sandbox.contents import kept_folder
        from grader.verification.bank import SHIPPED, Grading, load_bank

        list(course_files(plan.rubric))  # fail early on files that cannot be copied
        bank = select_submissions(load_bank(options.bank or SHIPPED), options.only)
        kept = options.keep or kept_folder("refresh")
        grading = Grading(choose(options.sandbox)[0].name, kept, jobs=options.jobs, quiet=options.quiet)
        renewed = renew_mazes(plan, bank, grading.grade, seed, seen.mazes)
        write_course(plan.rubric, renewed, seed, options.out)
        print("\n".join(_report_course(renewed, plan.rubric.seed, seed, options.out)))
    return 0


def _seed(options: argparse.Namespace, plan: Plan) -> int:
    """Return the new seed; it must differ from the old one. Raises InputError."""
    if options.seed == plan.rubric.seed:
        raise InputError(f"--seed: expected another than {plan.rubric.seed}")
    if options.seed is not None:
        return int(options.seed)
    return next(drawn for drawn in iter(random_seed, None) if drawn != plan.rubric.seed)


def _report_leaks(found: Sequence[LeakedMaze], pages: int) -> list[str]:
    where = f"the public tests and {pages} pages of students" if pages else "the public tests"
    if not found:
        return [f"Looked through {where}: no maze of a hidden check is there."]
    lines = [f"Of the mazes of hidden checks, students have {len(found)} ({where}):"]
    for each in found:
        more = f" and {len(each.places) - _PLACES} more" if len(each.places) > _PLACES else ""
        lines.append(f"  {each.what}: {', '.join(each.places[:_PLACES])}{more}")
    return lines


def _report_course(renewed: Sequence[RenewedMaze], before: int, seed: int, out: Path) -> list[str]:
    new = [each for each in renewed if each.new is not None]
    lines = [f"\nSeed {seed} replaces {before}: all drawn mazes change.", ""]
    lines.append(f"Hidden mazes made anew: {len(new)} of {len(renewed)}  (mistakes caught, before and now)")
    lines += [f"  {each.old.path.name:<30} {each.caught:>4} {each.new_caught:>4}" for each in new]
    kept = [each for each in renewed if each.new is None]
    lines += ["\nKept as they were:"] if kept else []
    lines += [f"  {each.old.path.name}: {each.reason}" for each in kept]
    rubric = shlex.quote(f"{out}/rubric.yaml")
    return [*lines, f"\nWritten to {out}: measure its tests with grader verify --rubric {rubric}"]


REFRESH = Command(
    "report which hidden mazes students have seen, and make next year's course with fresh ones",
    "grader refresh --from course-2026 --results results-2026 --out course-2027",
    _add_refresh,
    _run_refresh,
)
