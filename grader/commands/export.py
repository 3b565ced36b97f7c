"""``grader export``: write results in the format of another program."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import add_key, add_rubric, add_shared, text_option
from grader.errors import InputError
from grader.exports.registry import EXPORTS, ExportRequest

if TYPE_CHECKING:
    from grader.course.rubric import Rubric

HELP = "write results for another program: gradebooks, Gradescope, JUnit, feedback, all checks, a plot"
EXAMPLE = "grader export moodle results --gradebook worksheet.csv --out marks.csv"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    parser.add_argument(
        "what", choices=tuple(EXPORTS), help="the format, or the learning platform that reads it"
    )
    parser.add_argument("results", type=Path, nargs="?", help="a folder that grader batch or grade wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--gradebook",
        type=Path,
        metavar="FILE",
        help="the platform's gradebook, to fill in (default: write a new table)",
    )
    parser.add_argument(
        "--assignment",
        type=text_option,
        metavar="NAME",
        help="the column of the gradebook for the marks, or the title of a new column",
    )
    parser.add_argument(
        "--groups",
        type=Path,
        metavar="CSV",
        help="Canvas' list of groups; every member gets the mark of the group's submission",
    )
    parser.add_argument(
        "--students",
        type=Path,
        metavar="CSV",
        help="the table that says whose work it is where the gradebook has several of one name; "
        "it is written, to be filled in, where some are open",
    )
    add_key(parser)
    parser.add_argument(
        "--refused",
        choices=("blank", "zero"),
        default="blank",
        help="the mark of refused work (default: blank, so that a person decides)",
    )
    parser.add_argument(
        "--anyway", action="store_true", help="export even though items of grader review are open"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print which marks would change, and write nothing"
    )
    add_rubric(parser, "the rubric of Gradescope's autograder (default: the one that ships)")
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Write the file, and print what it holds."""
    from grader.platforms.registry import PLATFORMS

    if options.dry_run and options.what not in PLATFORMS:
        raise InputError(f"--dry-run is for {', '.join(PLATFORMS)}: only these overwrite marks")
    if options.groups and not (options.what in PLATFORMS and PLATFORMS[options.what].names_groups):
        raise InputError("--groups is for canvas: other platforms list a group's work for each member")

    if options.students and not options.gradebook:
        raise InputError("--students is for a gradebook that is filled: name it by --gradebook")

    if options.key and options.what not in (*PLATFORMS, "feedback", "checks"):
        named = f"{', '.join(PLATFORMS)}, feedback and checks"
        raise InputError(f"--key is for {named}: nothing else has names in it")

    def rubric() -> Rubric:
        from grader.course.plan import load_plan

        return load_plan(options.rubric).rubric

    _check_target(options.out)
    asked = ExportRequest(
        options.what,
        options.out,
        options.results,
        options.gradebook,
        options.assignment,
        options.groups,
        options.students,
        options.key,
        options.refused,
        options.anyway,
        options.dry_run,
        rubric,
    )
    print(EXPORTS[options.what](asked))
    return 0


def _check_target(out: Path) -> None:
    """Raise InputError, before any work is done, if the file cannot be written."""
    if out.is_dir():
        raise InputError("expected the name of a file to write, got a folder", path=out)
    if not out.parent.is_dir():
        raise InputError("expected a folder that exists: make it first", path=out.parent)
