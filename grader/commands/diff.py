"""``grader diff``: compare two gradings of a class."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "compare two gradings, and print whose results changed and why"
EXAMPLE = "grader diff results-old results-new"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    parser.add_argument("old", type=Path, help="the folder of results before")
    parser.add_argument("new", type=Path, help="the folder of results after")


def run(options: argparse.Namespace) -> int:
    """Print what changed."""
    from grader.batch.report.diff import compare

    print(compare(options.old, options.new))
    return 0
