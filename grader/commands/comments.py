"""``grader comment``: comments at lines of a student's code."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from grader.commands.common import (
    COUNT,
    Command,
    add_key,
    add_results,
    add_shared,
    add_signature,
    name_option,
    signature,
    text_option,
)
from grader.errors import InputError

if TYPE_CHECKING:
    from grader.batch.write_comments import LineComment


def _add_comment(parser: argparse.ArgumentParser) -> None:
    add_results(parser)
    parser.add_argument(
        "submission",
        type=name_option,
        help="the submission: its folder among the results, or the number or name of the student",
    )
    parser.add_argument(
        "words",
        type=text_option,
        nargs="*",
        metavar="FILE:LINE TEXT",
        help="the line, such as solvers/dfs.py:12, and the comment, or its key in comments.yaml; "
        "without them, list the comments",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--change",
        type=text_option,
        nargs="+",
        metavar=("N", "TEXT"),
        help="change comment N: its text, or with FILE:LINE before the text its place, too",
    )
    which.add_argument("--remove", type=COUNT, metavar="N", help="take comment N back; the ledger keeps it")
    add_key(parser)
    add_signature(parser, "who writes, or takes back")
    add_shared(parser)


def _run_comment(options: argparse.Namespace) -> int:
    """Write, change or take back a comment, and print it; without any, list them."""
    from grader.batch.write_comments import comment_line, list_line_comments, read_choices

    asked = _asked(options)
    if asked is None:
        print(list_line_comments(options.results, options.submission, options.key))
    else:
        choices = read_choices(options.results)
        print(comment_line(options.results, options.submission, asked, choices, options.key))
    return 0


def _asked(options: argparse.Namespace) -> LineComment | None:
    """Return what the options ask for; None for a list. Raises InputError."""
    from grader.batch.write_comments import LineComment

    by, words = signature(options), options.words
    if options.remove and not words:
        return LineComment(by, number=options.remove, is_removed=True)
    if options.change and not words:
        return _changed(by, options.change)
    if len(words) == 2 and not (options.remove or options.change):
        return LineComment(by, *words)
    if words or options.remove or options.change:
        raise InputError('expected a line and a text, such as: solvers/dfs.py:12 "this never ends"')
    return None


def _changed(by: str, words: Sequence[str]) -> LineComment:
    """Return the change that a number and a text, perhaps after a line, ask for. Raises InputError."""
    from grader.batch.write_comments import LineComment

    if not 2 <= len(words) <= 3 or not words[0].isdecimal() or not int(words[0][:9]):
        raise InputError('expected the number of a comment and a text, such as: --change 2 "this never ends"')
    return LineComment(by, words[1] if len(words) == 3 else "", words[-1], int(words[0][:9]))


COMMENT = Command(
    "write a comment at a line of a student's code, change it, or take it back",
    'grader comment results ada solvers/dfs.py:12 "which cells have you seen already?"',
    _add_comment,
    _run_comment,
)
