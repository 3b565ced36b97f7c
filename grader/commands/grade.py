"""``grader grade``: one submission."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.commands.common import add_explain, add_grading

HELP = "grade one submission"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("submission", type=Path, help="a folder, or a .zip, .7z, .tar, .tar.gz or .tgz")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results go")
    add_grading(parser)
    add_explain(parser)


def run(options: argparse.Namespace) -> int:
    """Grade it, and print a table of what it got."""
    from grader.grading.pipeline import grade_one

    out, sandbox, rubric = options.out, options.sandbox, options.rubric
    print(grade_one(options.submission, out, sandbox, rubric, options.language, explain=options.explain))
    return 0
