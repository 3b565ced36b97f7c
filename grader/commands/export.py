"""``grader export``: what other programs read."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import add_rubric, add_shared, words
from grader.errors import InputError
from grader.exports.registry import EXPORTS, ExportRequest
from grader.platforms.registry import PLATFORMS

if TYPE_CHECKING:
    from grader.course.rubric import Rubric

HELP = "write what other programs read"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("what", choices=tuple(EXPORTS), help="for whom")
    parser.add_argument("results", type=Path, nargs="?", help="a folder that grader batch or grade wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--gradebook",
        type=Path,
        metavar="FILE",
        help="the platform's own, to fill in; without it, a new table",
    )
    parser.add_argument(
        "--assignment",
        type=words,
        metavar="NAME",
        help="the column of the gradebook, or the head of a new one",
    )
    parser.add_argument(
        "--groups",
        type=Path,
        metavar="CSV",
        help="Canvas' list of groups, whose members get the mark of the one who handed in",
    )
    parser.add_argument("--key", type=Path, metavar="CSV", help="the key of results under pseudonyms")
    parser.add_argument(
        "--refused",
        choices=("blank", "zero"),
        default="blank",
        help="the mark of work that was refused (default: blank, so that a person decides)",
    )
    parser.add_argument("--anyway", action="store_true", help="though items of grader review are open")
    parser.add_argument("--dry-run", action="store_true", help="say which marks would change; write nothing")
    add_rubric(parser, "of Gradescope's autograder")
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Write the file, and print what is in it."""
    if options.dry_run and options.what not in PLATFORMS:
        raise InputError(f"--dry-run is for {', '.join(PLATFORMS)}: there marks are written over others")
    if options.groups and not (options.what in PLATFORMS and PLATFORMS[options.what].names_groups):
        raise InputError("--groups is for canvas: other platforms hand out a group's work to each member")

    if options.key and options.what not in (*PLATFORMS, "feedback"):
        raise InputError(f"--key is for {', '.join(PLATFORMS)} and feedback: nothing else has names in it")

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
        options.key,
        options.refused,
        options.anyway,
        options.dry_run,
        rubric,
    )
    print(EXPORTS[options.what](asked))
    return 0


def _check_target(out: Path) -> None:
    """See whether the file can be there, before any work."""
    if out.is_dir():
        raise InputError("expected the name of a file to write, got a folder", path=out)
    if not out.parent.is_dir():
        raise InputError("expected a folder that exists: make it first", path=out.parent)
