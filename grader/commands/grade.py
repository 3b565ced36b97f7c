"""``grader grade``: grade one submission."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.commands.common import add_explain, add_grading

HELP = "grade one submission, and write results.json and a page with feedback"
EXAMPLE = "grader grade ada.zip --out results/ada"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    parser.add_argument("submission", type=Path, help="a folder, or a .zip, .7z, .tar, .tar.gz or .tgz")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder for the results")
    add_grading(parser)
    add_explain(parser)


def run(options: argparse.Namespace) -> int:
    """Grade the submission, and print a table of its results."""
    from grader.grading.pipeline import grade_one

    out, sandbox, rubric = options.out, options.sandbox, options.rubric
    print(grade_one(options.submission, out, sandbox, rubric, options.language, explain=options.explain))
    return 0
