"""``grader forget``: delete a student's results."""

from __future__ import annotations

import argparse

from grader.commands.common import add_shared, add_submission

HELP = "delete a student's results and everything that mentions the student"
EXAMPLE = "grader forget results ada"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_submission(parser)
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Delete the results, and print which files still name the student."""
    from grader.batch.changes.forget import forget
    from grader.serve.forget_person import forget_person, is_service_folder

    if is_service_folder(options.results):
        print(forget_person(options.results, options.submission))
    else:
        print(forget(options.results, options.submission, options.key))
    return 0
