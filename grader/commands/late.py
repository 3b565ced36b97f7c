"""``grader late``: what late work costs, worked out anew."""

from __future__ import annotations

import argparse

from grader.commands.common import add_deadlines, add_results, add_rubric, add_shared

HELP = "take off anew what late work costs, without grading again"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_results(parser)
    add_deadlines(parser)
    add_rubric(parser, "with another key 'late'; default: that of the last run")
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Change all marks and pages that it changes, and print whose."""
    from grader.batch.changes.late import recompute_lateness

    print(recompute_lateness(options.results, options.rubric, options.times, options.extensions))
    return 0
