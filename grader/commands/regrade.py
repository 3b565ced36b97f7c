"""``grader regrade``: grade one submission of a class again."""

from __future__ import annotations

import argparse

from grader.commands.common import add_shared, add_submission

HELP = "grade one submission of a class again, with the options of the last run"
EXAMPLE = "grader regrade results ada"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_submission(parser)
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Grade the submission again; decisions by people stay in force."""
    from grader.batch.changes.choose import grade_one_again

    return grade_one_again(options.results, options.submission, options.key)
