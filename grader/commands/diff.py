"""``grader diff``: two gradings of a class compared."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "say whose marks moved, and why"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("old", type=Path, help="a folder of results")
    parser.add_argument("new", type=Path, help="another one")


def run(options: argparse.Namespace) -> int:
    """Print what moved."""
    from grader.batch.report.diff import compare

    print(compare(options.old, options.new))
    return 0
