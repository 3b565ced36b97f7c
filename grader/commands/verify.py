"""``grader verify``: whether the tests catch mistakes, and punish nothing that is right."""

from __future__ import annotations

import argparse
import json
import tempfile
from contextlib import ExitStack
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import add_rubric
from grader.disk import write_whole
from grader.errors import InputError
from grader.sandbox.registry import AUTO, BACKENDS

if TYPE_CHECKING:
    from grader.verification.bank import Known

HELP = "grade a bank of right and wrong submissions, and say what each test is worth"
BANK = Path(__file__).resolve().parents[2] / "tests" / "submissions"
"""The bank of a checkout."""


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
        "--mutants", type=int, default=0, metavar="N",
        help="in place of the bank, N mutants of its right submissions: which does no test catch?",
    )  # fmt: skip
    parser.add_argument("--bank", type=Path, default=BANK, metavar="DIR", help="default: the checkout's own")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="such as 'wrong--bfs-*'")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the results there, and go on from them")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings as JSON as well")
    parser.add_argument("--jobs", type=int, metavar="N", help="default: as many as there are cores")
    parser.add_argument("--sandbox", choices=(AUTO, *BACKENDS), default=AUTO, help="default: auto")
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def run(options: argparse.Namespace) -> int:
    """Grade the bank and print the findings; exit status 1 where the tests are not sound."""
    if options.mutants:
        return _run_mutants(options)
    from grader.course.plan import load_plan
    from grader.sandbox.probe import choose
    from grader.verification.bank import known_submissions
    from grader.verification.findings import find
    from grader.verification.run import grade_bank
    from grader.verification.table import table, table_of_maze
    from grader.verification.with_maze import only_with

    plan = load_plan(options.rubric)
    if options.maze is not None:
        plan = only_with(plan, options.maze)
    exercises = {exercise.id for exercise in plan.exercises}
    bank = _chosen(known_submissions(options.bank), options.only, exercises)
    with ExitStack() as stack:
        folder = options.out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="maze-grader-")))
        sandbox = choose(options.sandbox)[0].name
        graded = grade_bank(bank, plan, sandbox, folder, jobs=options.jobs, quiet=options.quiet)
    checks = [check.id for exercise in plan.exercises for check in exercise.checks]
    found = find(graded, checks, [maze.name for maze in plan.rubric.mazes])
    if options.json is not None:
        text = json.dumps(found.as_data(), indent=1, ensure_ascii=False) + "\n"
        write_whole(options.json, text.encode())
    if options.maze is not None:
        print(table_of_maze(found, plan.rubric.mazes[0].name))
        return 1 if found.punished else 0
    print(table(found))
    return 0 if found.sound else 1


def _run_mutants(options: argparse.Namespace) -> int:
    """Say how many mutants of the right submissions are caught, and which are not."""
    from grader.course.plan import load_plan
    from grader.sandbox.probe import choose
    from grader.verification.bank import known_submissions
    from grader.verification.mutants import mutants_of
    from grader.verification.run import grade_by_exercise
    from grader.verification.table import table_of_mutants
    from lab.exercises import BY_ID

    plan = load_plan(options.rubric)
    asked = [BY_ID[exercise.id] for exercise in plan.exercises]
    mutants = mutants_of(
        _chosen(known_submissions(options.bank), options.only, set()), options.mutants, asked
    )
    with ExitStack() as stack:
        folder = options.out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="maze-grader-")))
        sandbox = choose(options.sandbox)[0].name
        graded = grade_by_exercise(mutants, plan, sandbox, folder, jobs=options.jobs, quiet=options.quiet)
    print(table_of_mutants(graded))
    return 0


def _chosen(bank: list[Known], only: list[str] | None, exercises: set[str]) -> list[Known]:
    """The submissions that can tell something: those that are named, of the exercises that are asked."""
    chosen = [known for known in bank if not known.loses or known.loses & exercises]
    if only:
        chosen = [known for known in chosen if any(fnmatch(known.name, pattern) for pattern in only)]
    if not chosen:
        raise InputError("no submission of the bank has such a name")
    return chosen
