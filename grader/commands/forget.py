"""``grader forget``: a student's results taken away."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.commands.common import add_shared

HELP = "take a student out of the results, with all that tells of them"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("results", type=Path, help="a folder that grader batch wrote")
    parser.add_argument("submission", help="its folder there, or the number or name of the student")
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Take it out, and say where it is still named."""
    from grader.batch.changes.forget import forget

    print(forget(options.results, options.submission))
    return 0
