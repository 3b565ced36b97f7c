"""``grader verify``: whether the tests catch mistakes, and punish nothing that is right."""

from __future__ import annotations

import argparse
import json
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import COUNT, add_jobs, add_rubric
from grader.disk import write_whole
from grader.errors import InputError
from grader.sandbox.registry import AUTO, BACKENDS

if TYPE_CHECKING:
    from grader.course.plan import Plan
    from grader.verification.bank import KnownSubmission
    from grader.verification.findings import Findings
    from grader.verification.run import Grading

HELP = "grade a bank of right and wrong submissions, and say what each test is worth"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_rubric(parser)
    parser.add_argument(
        "--maze",
        type=Path,
        metavar="FILE",
        help="only what this new test maze would add",
    )
    parser.add_argument(
        "--mutants", type=COUNT, default=0, metavar="N",
        help="in place of the bank, N mutants of its right submissions: which does no test catch?",
    )  # fmt: skip
    parser.add_argument("--bank", type=Path, metavar="DIR", help="default: the one that ships")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="such as 'wrong--bfs-*'")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where results are kept to go on from; default: in the cache"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings as JSON as well")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write them as a page as well")
    add_jobs(parser, "default: as many as there are cores")
    parser.add_argument("--sandbox", choices=(AUTO, *BACKENDS), default=AUTO, help="default: auto")
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def run(options: argparse.Namespace) -> int:
    """Grade what was asked for and tell the findings; exit status 1 where the tests are not sound."""
    from grader.course.plan import load_plan
    from grader.sandbox.probe import choose
    from grader.verification.bank import SHIPPED, known_submissions
    from grader.verification.run import Grading, cache
    from grader.verification.with_maze import only_with

    plan = load_plan(options.rubric, explain=False)
    if options.maze is not None:
        plan = only_with(plan, options.maze)
    bank = chosen(known_submissions(options.bank or SHIPPED), options.only)
    grading = Grading(
        choose(options.sandbox)[0].name, options.out or cache(), jobs=options.jobs, quiet=options.quiet
    )
    if options.mutants:
        if options.maze is not None or options.html is not None:
            raise InputError("expected --mutants without --maze and --html: it has its own table")
        return _told_of_mutants(options, bank, plan, grading)
    return _told(options, bank, plan, grading)


def _told(options: argparse.Namespace, bank: list[KnownSubmission], plan: Plan, grading: Grading) -> int:
    from grader.verification.findings import find
    from grader.verification.table import table, table_of_maze

    if options.maze is None:
        found = find(grading.of(bank, plan, "bank"), plan)
        print(table(found))
        status = 0 if found.sound else 1
    else:
        found = find(grading.of(bank, plan, "maze"), plan)
        print(table_of_maze(found, plan.rubric.mazes[0].name))
        status = 1 if found.punished or found.untrue else 0
    _write(options, plan, found)
    return status


def _told_of_mutants(
    options: argparse.Namespace, bank: list[KnownSubmission], plan: Plan, grading: Grading
) -> int:
    """Say how many mutants of the right submissions are caught, and which are not."""
    from grader.verification.mutants import mutants_of
    from grader.verification.survivors import find_survivors
    from grader.verification.table import table_of_mutants
    from lab.exercises import BY_ID

    asked = [BY_ID[exercise.id] for exercise in plan.exercises]
    mutants = mutants_of(bank, options.mutants, asked)
    found = find_survivors(mutants, plan, grading)
    if options.json is not None:
        _write_json(options.json, found.as_data())
    print(table_of_mutants(found))
    return 1 if found.survivors else 0


def _write(options: argparse.Namespace, plan: Plan, found: Findings) -> None:
    from grader.verification.page import page

    if options.json is not None:
        _write_json(options.json, found.as_data())
    if options.html is not None:
        write_whole(options.html, page(found, plan.rubric.title).encode())


def _write_json(file: Path, data: object) -> None:
    write_whole(file, (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode())


def chosen(bank: list[KnownSubmission], only: list[str] | None) -> list[KnownSubmission]:
    """The submissions that are named; all where none is."""
    if not only:
        return bank
    chosen = [known for known in bank if any(fnmatch(known.name, pattern) for pattern in only)]
    if not chosen:
        raise InputError("no submission of the bank has such a name")
    return chosen
