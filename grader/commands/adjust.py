"""``grader adjust``: change the mark of one submission, with a reason and a signature."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from grader.commands.common import add_shared, add_signature, add_submission, signature, text_option
from grader.errors import InputError

if TYPE_CHECKING:
    from grader.batch.changes.adjust import MarkChange

HELP = "change the mark of one submission, recording who decided and why"
EXAMPLE = 'grader adjust results ada --check bfs.large +1 --reason "the limit was too low"'


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_submission(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--check",
        type=text_option,
        nargs=2,
        action="append",
        metavar=("CHECK", "POINTS"),
        help="add points to a check, or take some off, such as: bfs.large +1",
    )
    what.add_argument(
        "--score", type=float, metavar="POINTS", help="set the whole score, whatever the checks gave"
    )
    what.add_argument("--exempt", action="store_true", help="give no mark, in tables and gradebooks too")
    what.add_argument("--undo", action="store_true", help="undo the last decision about this submission")
    what.add_argument(
        "--keep", action="store_true", help="confirm all decisions after the grader's mark has changed"
    )
    parser.add_argument(
        "--reason", type=text_option, default="", help="why the mark changes; the student can read it"
    )
    parser.add_argument(
        "--comment",
        type=text_option,
        default="",
        help="a comment for the student; without a change, it leaves the mark as it is",
    )
    add_signature(parser)
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Record the decision, and print the old mark and the new one."""
    from grader.batch.changes.adjust import adjust_mark

    print(adjust_mark(options.results, options.submission, _change(options), options.key))
    return 0


def _change(options: argparse.Namespace) -> MarkChange:
    """Return the change that the options ask for. Raises InputError."""
    from grader.batch.changes.adjust import MarkChange

    who, reason = signature(options), options.reason
    if not (options.undo or options.keep or options.exempt or options.check) and options.score is None:
        if not options.comment.strip():
            raise InputError(
                "expected a change: --check, --score, --exempt, --undo or --keep; or a --comment"
            )
        return MarkChange("comment", who, reason, options.comment)
    if options.undo or options.keep:
        return MarkChange("undo" if options.undo else "keep", who, reason)
    if not reason.strip():
        raise InputError('expected a reason: --reason "why the mark changes"')
    if options.exempt:
        return MarkChange("exempt", who, reason, options.comment)
    if options.score is not None:
        return MarkChange("score", who, reason, options.comment, points=options.score)
    if len(options.check) > 1:
        raise InputError("expected one --check: give the command once for each")
    ((check, points),) = options.check
    return MarkChange("check", who, reason, options.comment, check, _points(points))


def _points(text: str) -> float:
    """Read a finite number of points other than 0. Raises InputError."""
    try:
        points = float(text)
    except ValueError:
        points = 0.0
    if not abs(points) > 0 or points in (float("inf"), float("-inf")):
        raise InputError(f"expected points to add or to take off, such as +1 or -2.5, got {text}")
    return points
