"""``grader review``: list what a person has to look at; close or reopen items."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import (
    COUNT,
    add_key,
    add_results,
    add_signature,
    name_option,
    signature,
    whole_number,
)
from grader.errors import InputError

if TYPE_CHECKING:
    from grader.batch.report.review_items import Item

HELP = "list what a person has to look at, and close or reopen items"
EXAMPLE = "grader review results --done ada"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_results(parser)
    parser.add_argument(
        "--all", action="store_true", help="list closed items as well, with who closed them and when"
    )
    parser.add_argument(
        "--next",
        action="store_true",
        help="show the open items one after the other, with their pages and code, and ask what to do",
    )
    parser.add_argument(
        "--comments",
        type=Path,
        metavar="YAML",
        help="comments for --next, by short keys (default: comments.yaml in the results or by the rubric)",
    )
    second = parser.add_argument_group("a second marker")
    second.add_argument(
        "--sample",
        type=COUNT,
        metavar="N",
        help="draw N submissions to be marked once more, blind, into the --sheet",
    )
    second.add_argument(
        "--seed",
        type=whole_number(0),
        default=0,
        metavar="N",
        help="what the sample is drawn by (default: 0)",
    )
    second.add_argument(
        "--sheet",
        type=Path,
        metavar="CSV",
        help="with --sample, the table to write; alone, one that was filled in, to tell the agreement",
    )
    which = "ids, names of submissions, or kinds"
    for option, about in (("--done", "close items"), ("--reopen", "reopen items")):
        parser.add_argument(
            option, type=name_option, nargs="+", default=[], metavar="ITEM", help=f"{about}: {which}"
        )
    add_key(parser)
    add_signature(parser, "who closes or reopens them")


def run(options: argparse.Namespace) -> int:
    """Print the items by kind, each kind with the proposed action."""
    from grader.batch.changes.review import review
    from grader.batch.report.review_items import PROPOSALS
    from grader.text import visible

    if options.next:
        return _one_by_one(options)
    if options.sample or options.sheet:
        return _second_marker(options)
    items = review(options.results, options.done, options.reopen, signature(options), options.key)
    shown = [item for item in items if options.all or item.is_open]
    for kind, theirs in groupby(shown, key=lambda item: item.kind):
        print(f"{kind}: {PROPOSALS[kind]}")
        for item in theirs:
            names = " and ".join(map(visible, (item.submission, *item.others)))
            state = "" if item.is_open else f" (done, {visible(item.who)}, {visible(item.when)})"
            print(f"  {item.id}  {names}: {visible(item.text)}{state}")
    _print_count(items)
    return 0


def _second_marker(options: argparse.Namespace) -> int:
    """Draw a sample for a second marker, or report how far a filled sheet agrees."""
    from grader.batch.second_marker import draw_sample, tell_agreement

    if options.sheet is None:
        raise InputError("expected a sheet to write: --sheet second.csv")
    if options.sample:
        print(draw_sample(options.results, options.sample, options.seed, options.sheet))
    else:
        print(tell_agreement(options.results, options.sheet))
    return 0


def _print_count(items: Sequence[Item]) -> None:
    still_open = sum(item.is_open for item in items)
    print(f"{still_open} open, {len(items) - still_open} done")


def _one_by_one(options: argparse.Namespace) -> int:
    """Go through the open items, with answers from the terminal or, one per line, from a pipe."""
    from grader.batch.changes.next_item import (
        Prompts,
        find_comments,
        read_comments,
        review_one_by_one,
    )
    from grader.batch.changes.review import review
    from lab.commands.screen import browse

    library = options.comments or find_comments(options.results)
    comments = read_comments(library) if library else {}
    prompts = Prompts(lambda text: print(text, flush=True), _line, _key, browse)
    review_one_by_one(options.results, signature(options), comments, prompts)
    _print_count(review(options.results, (), (), signature(options)))
    return 0


def _line(prompt: str) -> str:
    """Read a line; empty at the end of the input."""
    try:
        return input(prompt)
    except EOFError:
        return ""


def _key(prompt: str) -> str:
    """Read one key, or from a pipe a line; empty at the end of the input."""
    if not sys.stdin.isatty():
        return _line(prompt).strip()[:1]
    import termios
    import tty

    print(prompt, end="", flush=True)
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        key = sys.stdin.read(1)
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
    print(key if key.isprintable() else "")
    return "" if key in ("\x04", "\0") else key  # Ctrl-D, typed now or before the terminal was in key mode
