"""``grader choose``: say which of several attempts or files counts."""

from __future__ import annotations

import argparse

from grader.commands.common import add_shared, add_signature, add_submission, name_option, signature
from grader.errors import InputError

HELP = "say which of several attempts or files of a student counts, and grade it"
EXAMPLE = "grader choose results ada 2"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_submission(parser, may_lack=True)
    parser.add_argument(
        "which",
        type=name_option,
        nargs="?",
        default="",
        help="what counts, by its number or name in the list",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--all", choices=["newest"], help="choose for the whole class what was changed last")
    what.add_argument(
        "--undo",
        action="store_true",
        help="take back what was chosen for the submission, or without one what was chosen last",
    )
    add_signature(parser)
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """List what came, or record the choice and grade."""
    from grader.batch.changes.choose import choose, choose_newest, list_choices, undo_choices

    out, who, by = options.results, options.submission, signature(options)
    if options.undo:
        return undo_choices(out, who, by, options.key)
    if options.all and who:
        raise InputError("expected a submission, or --all newest, and not both")
    if options.all:
        return choose_newest(out, by)
    if not who:
        raise InputError("expected a submission, or --all newest; grader review --next goes through them all")
    if options.which:
        return choose(out, who, options.which, by, options.key)
    print(list_choices(out, who, options.key))
    return 0
