"""``grader batch``: a class."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from grader.commands.common import add_deadlines, add_explain, add_grading, add_jobs, text_option

HELP = "grade a class"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument(
        "submissions",
        type=Path,
        help="a folder of submissions, or a platform's download, unpacked or as its zip",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the results go")
    add_jobs(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--resume", action="store_true",
        help="go on where an earlier run was stopped, and grade only what has changed; the same without it",
    )  # fmt: skip
    which.add_argument("--again", action="store_true", help="grade everything again, changed or not")
    parser.add_argument("--quiet", action="store_true", help="say nothing but what went wrong")
    add_deadlines(parser)
    parser.add_argument(
        "--gradebook", type=Path, metavar="FILE", help="the platform's: who handed in nothing is named"
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="LAST_YEAR",
        help="earlier work to compare with: a folder of submissions or of results",
    )
    parser.add_argument(
        "--pseudonyms",
        type=Path,
        metavar="KEY",
        help="keep names out of the results: they stand in this file, which is made, or read and added to",
    )
    parser.add_argument(
        "--cluster", type=text_option, metavar="ADDRESS", help="of a Dask scheduler, or local:N"
    )
    add_grading(parser)
    add_explain(parser)


def run(options: argparse.Namespace) -> int:
    """Grade the class; 0 where every submission has its mark."""
    from grader.batch.class_run import BatchOptions, grade_class

    return grade_class(
        BatchOptions(**{field.name: getattr(options, field.name) for field in fields(BatchOptions)})
    )
