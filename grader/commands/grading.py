"""``grader grade``, ``batch``, ``choose`` and ``regrade``: grade one submission, or a class."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Final

from grader.commands.common import (
    NONE,
    Command,
    add_cluster,
    add_deadlines,
    add_explain,
    add_grading,
    add_jobs,
    add_language,
    add_names,
    add_rubric,
    add_sandbox,
    add_shared,
    add_signature,
    add_submission,
    name_option,
    path_or_none,
    signature,
    take_away,
    text_option,
)
from grader.errors import GraderError, InputError


def _add_grade(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("submission", type=Path, help="a folder, or a .zip, .7z, .tar, .tar.gz or .tgz")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder for the results")
    add_grading(parser)
    add_explain(parser)


def _run_grade(options: argparse.Namespace) -> int:
    """Grade the submission, and print a table of its results."""
    from grader.grading.engine import grade_one

    out, sandbox, rubric = options.out, options.sandbox, options.rubric
    print(grade_one(options.submission, out, sandbox, rubric, options.language, explain=options.explain))
    return 0


GRADE = Command(
    "grade one submission, and write results.json and a page with feedback",
    "grader grade ada.zip --out results/ada",
    _add_grade,
    _run_grade,
)


def _add_batch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "submissions",
        type=Path,
        nargs="+",
        help="a folder of submissions, the glob of its sections ('class/*'), or a learning platform's bulk "
        "download (a folder or a zip)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="the folder for the results; it keeps its options: one that you do not name stays as it was in "
        "the last run, and 'none' takes it away (--times none)",
    )
    parser.add_argument(
        "--students",
        type=text_option,
        metavar="GLOB",
        help="which folders and archives are one student each, where they lie deeper: 'class/*/*'",
    )
    add_names(parser)
    add_jobs(parser)
    parser.add_argument("--resume", action="store_true", help=argparse.SUPPRESS)  # the default
    parser.add_argument(
        "--again", action="store_true", help="grade everything again, even what has not changed"
    )
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    add_deadlines(parser)
    parser.add_argument(
        "--gradebook",
        type=path_or_none,
        metavar="FILE",
        help="the platform's gradebook, to report who handed in nothing",
    )
    parser.add_argument(
        "--against",
        type=path_or_none,
        metavar="LAST_YEAR",
        help="look for similar code in earlier work: a folder of submissions or of results",
    )
    parser.add_argument(
        "--pseudonyms",
        type=path_or_none,
        metavar="KEY",
        help="replace names in the results by pseudonyms; this file, created if needed, maps them to names",
    )
    add_cluster(parser)
    add_sandbox(parser)
    add_rubric(parser, read=path_or_none)
    add_language(parser, others=[NONE])
    add_shared(parser)
    add_explain(parser)
    parser.set_defaults(sandbox=None, explain=None)


_KEPT: Final = (
    *("rubric", "language", "students", "names", "times", "extensions"),
    *("gradebook", "against", "pseudonyms"),
)
"""The options that the word ``none`` takes away."""


def _run_batch(options: argparse.Namespace) -> int:
    """Grade the class; return 0 if every submission has a mark, else 1."""
    from grader.batch.class_run import BatchOptions, grade_class
    from grader.intake.class_listing import place_of_students

    options.taken_away = take_away(options, *_KEPT)
    options.submissions, options.students = place_of_students(options.submissions, options.students or "")
    asked = BatchOptions(**{field.name: getattr(options, field.name) for field in fields(BatchOptions)})
    try:
        return grade_class(asked)
    except KeyboardInterrupt:
        raise GraderError("stopped: the same command goes on") from None


BATCH = Command(
    "grade a class of submissions, and write a page for each student and reports for staff",
    "grader batch download.zip --out results --jobs 4",
    _add_batch,
    _run_batch,
)


def _add_choose(parser: argparse.ArgumentParser) -> None:
    add_submission(parser, may_lack=True)
    parser.add_argument(
        "which",
        type=name_option,
        nargs="?",
        default="",
        help="what counts, by its number or name in the list",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--all", choices=["newest"], help="choose for the whole class what was changed last")
    what.add_argument(
        "--undo",
        action="store_true",
        help="take back what was chosen for the submission, or without one what was chosen last",
    )
    add_signature(parser)
    add_shared(parser)


def _run_choose(options: argparse.Namespace) -> int:
    """List what came, or record the choice and grade."""
    from grader.batch.decisions import choose, choose_newest, list_choices, undo_choices

    out, who, by = options.results, options.submission, signature(options)
    if options.undo:
        return undo_choices(out, who, by, options.key)
    if options.all and who:
        raise InputError("expected a submission, or --all newest, and not both")
    if options.all:
        return choose_newest(out, by)
    if not who:
        raise InputError("expected a submission, or --all newest; grader review --next goes through them all")
    if options.which:
        return choose(out, who, options.which, by, options.key)
    print(list_choices(out, who, options.key))
    return 0


CHOOSE = Command(
    "say which of several attempts or files of a student counts, and grade it",
    "grader choose results ada 2",
    _add_choose,
    _run_choose,
)


def _add_regrade(parser: argparse.ArgumentParser) -> None:
    add_submission(parser)
    parser.add_argument(
        "--with",
        type=Path,
        dest="put_right",
        metavar="DIR",
        help="grade this in its place, put right by hand, until the student hands in something else",
    )
    add_signature(parser, "who put it right")
    add_shared(parser)


def _run_regrade(options: argparse.Namespace) -> int:
    """Grade the submission again; decisions by people stay in force."""
    from grader.batch.decisions import grade_one_again, grade_put_right

    if options.put_right:
        by = signature(options)
        return grade_put_right(options.results, options.submission, options.put_right, by, options.key)
    return grade_one_again(options.results, options.submission, options.key)


REGRADE = Command(
    "grade one submission of a class again, with the options of the last run",
    "grader regrade results ada",
    _add_regrade,
    _run_regrade,
)
