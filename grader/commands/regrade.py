"""``grader regrade``: one submission of a class once more."""

from __future__ import annotations

import argparse

from grader.commands.common import add_shared, add_submission

HELP = "grade one submission of a class again"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_submission(parser)
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Grade it with the options of the last run; what people decided stays."""
    from grader.batch.changes.regrade import grade_one_again

    return grade_one_again(options.results, options.submission)
