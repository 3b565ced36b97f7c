"""``grader late``: recompute the late penalties."""

from __future__ import annotations

import argparse

from grader.commands.common import add_deadlines, add_results, add_rubric, add_shared

HELP = "apply the penalty for lateness anew, without grading again"
EXAMPLE = "grader late results --extensions extensions.csv"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_results(parser)
    add_deadlines(parser)
    add_rubric(parser, "a rubric with another key 'late' (default: that of the last run)")
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Update all marks and pages, and print whose marks changed."""
    from grader.batch.changes.late import recompute_lateness

    print(recompute_lateness(options.results, options.rubric, options.times, options.extensions))
    return 0
