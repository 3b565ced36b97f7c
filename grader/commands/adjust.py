"""``grader adjust``: a person changes a mark, and signs for it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from grader.commands.common import add_shared, add_signature, add_submission, signature, text_option
from grader.errors import InputError

if TYPE_CHECKING:
    from grader.batch.changes.adjust import MarkChange

HELP = "change a mark, with who and why"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_submission(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--check",
        type=text_option,
        nargs=2,
        metavar=("CHECK", "POINTS"),
        help="give a check more points or less: bfs.large +1",
    )
    what.add_argument("--score", type=float, metavar="POINTS", help="the score, whatever the checks gave")
    what.add_argument("--exempt", action="store_true", help="no mark, in no table and no gradebook")
    what.add_argument("--undo", action="store_true", help="take the last decision back")
    what.add_argument("--keep", action="store_true", help="confirm them after the grader's mark has changed")
    parser.add_argument("--reason", type=text_option, default="", help="why; the student reads it")
    parser.add_argument("--comment", type=text_option, default="", help="what else the student should read")
    add_signature(parser)
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Write the decision down, and print what becomes of the mark."""
    from grader.batch.changes.adjust import adjust_mark

    print(adjust_mark(options.results, options.submission, _change(options)))
    return 0


def _change(options: argparse.Namespace) -> MarkChange:
    from grader.batch.changes.adjust import MarkChange

    who, reason = signature(options), options.reason
    if options.undo or options.keep:
        return MarkChange("undo" if options.undo else "keep", who, reason)
    if not reason.strip():
        raise InputError('expected a reason: --reason "why the mark changes"')
    if options.exempt:
        return MarkChange("exempt", who, reason, options.comment)
    if options.score is not None:
        return MarkChange("score", who, reason, options.comment, points=options.score)
    check, points = options.check
    return MarkChange("check", who, reason, options.comment, check, _points(points))


def _points(text: str) -> float:
    try:
        points = float(text)
    except ValueError:
        points = 0.0
    if not abs(points) > 0 or points in (float("inf"), float("-inf")):
        raise InputError(f"expected points to add or to take off, such as +1 or -2.5, got {text}")
    return points
