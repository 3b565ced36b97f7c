"""``grader verify``: measure whether the tests catch mistakes and never punish right work."""

from __future__ import annotations

import argparse
import json
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import COUNT, add_bank, add_rubric
from grader.disk import write_whole
from grader.errors import InputError

if TYPE_CHECKING:
    from grader.course.plan import Plan
    from grader.verification.bank import KnownSubmission
    from grader.verification.bank_grading import Grading
    from grader.verification.findings import Findings

HELP = "grade a bank of right and wrong submissions to measure what each test catches"
EXAMPLE = "grader verify --rubric course/rubric.yaml --only 'wrong--bfs-*'"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_rubric(parser)
    parser.add_argument(
        "--maze",
        type=Path,
        metavar="FILE",
        help="measure only what this new test maze would add",
    )
    parser.add_argument(
        "--mutants", type=COUNT, default=0, metavar="N",
        help="grade N mutants of the bank's right submissions instead, and print those that no test catches",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder for intermediate results (default: in the cache)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the findings as JSON")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write them as a page")
    add_bank(parser)


def run(options: argparse.Namespace) -> int:
    """Grade the bank and print the findings; return 1 if the tests are not sound."""
    from grader.course.plan import load_plan
    from grader.sandbox.probe import choose
    from grader.verification.bank import SHIPPED, load_bank
    from grader.verification.bank_grading import Grading, cache
    from grader.verification.smallest_maze import plan_for_maze

    plan = load_plan(options.rubric, explain=False)
    if options.maze is not None:
        plan = plan_for_maze(plan, options.maze)
    bank = select_submissions(load_bank(options.bank or SHIPPED), options.only)
    grading = Grading(
        choose(options.sandbox)[0].name, options.out or cache(), jobs=options.jobs, quiet=options.quiet
    )
    if options.mutants:
        if options.maze is not None or options.html is not None:
            raise InputError("expected --mutants without --maze and --html: it has its own table")
        return _verify_mutants(options, bank, plan, grading)
    return _verify_bank(options, bank, plan, grading)


def _verify_bank(
    options: argparse.Namespace, bank: list[KnownSubmission], plan: Plan, grading: Grading
) -> int:
    from grader.verification.findings import find
    from grader.verification.report import format_findings, format_maze_report

    if options.maze is None:
        found = find(grading.grade(bank, plan, "bank"), plan)
        print(format_findings(found))
        status = 0 if found.sound else 1
    else:
        found = find(grading.grade(bank, plan, "maze"), plan)
        print(format_maze_report(found, plan.rubric.mazes[0].name))
        status = 1 if found.punished or found.untrue else 0
    _write(options, plan, found)
    return status


def _verify_mutants(
    options: argparse.Namespace, bank: list[KnownSubmission], plan: Plan, grading: Grading
) -> int:
    """Print how many mutants of the right submissions are caught, and which are not.

    Return 1 if any survive.
    """
    from grader.verification.report import format_mutants
    from grader.verification.survivors import find_survivors, make_mutants
    from lab.exercises import BY_ID

    asked = [BY_ID[exercise.id] for exercise in plan.exercises]
    mutants = make_mutants(bank, options.mutants, asked)
    found = find_survivors(mutants, plan, grading)
    if options.json is not None:
        _write_json(options.json, found.as_data())
    print(format_mutants(found))
    return 1 if found.survivors else 0


def _write(options: argparse.Namespace, plan: Plan, found: Findings) -> None:
    from grader.verification.report import render_findings

    if options.json is not None:
        _write_json(options.json, found.as_data())
    if options.html is not None:
        write_whole(options.html, render_findings(found, plan.rubric.title).encode())


def _write_json(file: Path, data: object) -> None:
    write_whole(file, (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode())


def select_submissions(bank: list[KnownSubmission], only: list[str] | None) -> list[KnownSubmission]:
    """Return the submissions whose names match a pattern; all without a pattern. Raises InputError."""
    if not only:
        return bank
    named = [known for known in bank if any(fnmatch(known.name, pattern) for pattern in only)]
    if not named:
        raise InputError(
            "expected --only with a pattern that fits a submission of the bank, found none that does"
        )
    return named
