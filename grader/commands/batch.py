"""``grader batch``: grade a class of submissions."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from grader.commands.common import add_cluster, add_deadlines, add_explain, add_grading, add_jobs, text_option
from grader.errors import GraderError

HELP = "grade a class of submissions, and write a page for each student and reports for staff"
EXAMPLE = "grader batch download.zip --out results --jobs 4"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    parser.add_argument(
        "submissions",
        type=Path,
        nargs="+",
        help="a folder of submissions, the glob of its sections ('class/*'), or a learning platform's bulk "
        "download (a folder or a zip)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder for the results")
    parser.add_argument(
        "--students",
        type=text_option,
        metavar="GLOB",
        help="which folders and archives are one student each, where they lie deeper: 'class/*/*'",
    )
    add_jobs(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--resume", action="store_true",
        help="continue an earlier run: grade only what is new or has changed (this is also the default)",
    )  # fmt: skip
    which.add_argument(
        "--again", action="store_true", help="grade everything again, even what has not changed"
    )
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    add_deadlines(parser)
    parser.add_argument(
        "--gradebook",
        type=Path,
        metavar="FILE",
        help="the platform's gradebook, to report who handed in nothing",
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="LAST_YEAR",
        help="look for similar code in earlier work: a folder of submissions or of results",
    )
    parser.add_argument(
        "--pseudonyms",
        type=Path,
        metavar="KEY",
        help="replace names in the results by pseudonyms; this file, created if needed, maps them to names",
    )
    add_cluster(parser)
    add_grading(parser)
    add_explain(parser)


def run(options: argparse.Namespace) -> int:
    """Grade the class; return 0 if every submission has a mark, else 1."""
    from grader.batch.class_run import BatchOptions, grade_class
    from grader.batch.sections import place_of_students

    options.submissions, options.students = place_of_students(options.submissions, options.students or "")
    asked = BatchOptions(**{field.name: getattr(options, field.name) for field in fields(BatchOptions)})
    try:
        return grade_class(asked)
    except KeyboardInterrupt:
        raise GraderError("stopped: go on with --resume") from None
