"""``grader forget``: a student's results taken away."""

from __future__ import annotations

import argparse

from grader.commands.common import add_shared, add_submission

HELP = "take a student out of the results, with all that tells of them"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_submission(parser)
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Take it out, and say where it is still named."""
    from grader.batch.changes.forget import forget
    from grader.serve.forget_person import forget_person, is_service_folder

    who = forget_person if is_service_folder(options.results) else forget
    print(who(options.results, options.submission))
    return 0
