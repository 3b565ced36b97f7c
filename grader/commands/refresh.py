"""``grader refresh``: make next year's course, with another seed and fresh hidden mazes."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import SEEDS, add_bank, expect_empty, whole_number
from grader.commands.verify import select_submissions
from grader.errors import InputError

if TYPE_CHECKING:
    from grader.course.plan import Plan
    from grader.refresh.leaked_mazes import LeakedMaze
    from grader.refresh.maze_search import RenewedMaze

HELP = "report which hidden mazes students have seen, and make next year's course with fresh ones"
EXAMPLE = "grader refresh --from course-2026 --results results-2026 --out course-2027"
_PLACES = 3
"""The most places that are printed for each leaked maze."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
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


def run(options: argparse.Namespace) -> int:
    """Print which hidden mazes have leaked; write the new course if ``--out`` is given."""
    from grader.course.plan import load_plan
    from grader.exports.gradescope import course_files
    from grader.refresh.leaked_mazes import collect_student_material, find_leaked_mazes
    from grader.refresh.new_course import write_course

    plan = load_plan(options.old / "rubric.yaml" if options.old.is_dir() else options.old)
    seed = _seed(options, plan)
    if options.out is not None:
        expect_empty(options.out)
    seen = collect_student_material(plan, options.results)
    print("\n".join(_report_leaks(find_leaked_mazes(plan, seen), len(seen.pages))))
    if options.out is not None:
        list(course_files(plan.rubric))  # fail early on files that cannot be copied
        renewed = _renewed(plan, options, seed, seen.mazes)
        write_course(plan.rubric, renewed, seed, options.out)
        print("\n".join(_report_course(renewed, plan.rubric.seed, seed, options.out)))
    return 0


def _seed(options: argparse.Namespace, plan: Plan) -> int:
    """Return the new seed; it must differ from the old one. Raises InputError."""
    if options.seed == plan.rubric.seed:
        raise InputError(f"--seed: expected another than {plan.rubric.seed}")
    if options.seed is not None:
        return int(options.seed)
    drawn = secrets.randbelow(SEEDS - 1)
    return drawn + (drawn >= plan.rubric.seed)


def _renewed(
    plan: Plan, options: argparse.Namespace, seed: int, seen: frozenset[tuple[str, ...]]
) -> Sequence[RenewedMaze]:
    from grader.refresh.maze_search import renew_mazes
    from grader.sandbox.probe import choose
    from grader.verification.bank import SHIPPED, load_bank
    from grader.verification.bank_grading import Grading, cache

    bank = select_submissions(load_bank(options.bank or SHIPPED), options.only)
    kept = options.keep or cache().with_name("refresh")
    grading = Grading(choose(options.sandbox)[0].name, kept, jobs=options.jobs, quiet=options.quiet)
    return renew_mazes(plan, bank, grading.grade, seed, seen)


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
    return [*lines, f"\nWritten to {out}: measure its tests with grader verify --rubric {out}/rubric.yaml"]
