"""``grader review``: list what a person has to look at, close items, or reopen them."""

from __future__ import annotations

import argparse
from itertools import groupby

from grader.commands.common import add_key, add_results, add_signature, name_option, signature

HELP = "list what a person has to look at, and close or reopen items"
EXAMPLE = "grader review results --done ada"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_results(parser)
    parser.add_argument(
        "--all", action="store_true", help="list closed items as well, with who closed them and when"
    )
    which = "ids, names of submissions, or kinds"
    for option, about in (("--done", "close items"), ("--reopen", "reopen items")):
        parser.add_argument(
            option, type=name_option, nargs="+", default=[], metavar="ITEM", help=f"{about}: {which}"
        )
    add_key(parser)
    add_signature(parser, "who closes or reopens them")


def run(options: argparse.Namespace) -> int:
    """Print the items by kind, each kind with what the grader proposes."""
    from grader.batch.changes.review import review
    from grader.batch.report.review_items import PROPOSALS
    from grader.text import visible

    items = review(options.results, options.done, options.reopen, signature(options), options.key)
    shown = [item for item in items if options.all or item.is_open]
    for kind, theirs in groupby(shown, key=lambda item: item.kind):
        print(f"{kind}: {PROPOSALS[kind]}")
        for item in theirs:
            names = " and ".join(map(visible, (item.submission, *item.others)))
            state = "" if item.is_open else f" (done, {visible(item.who)}, {visible(item.when)})"
            print(f"  {item.id}  {names}: {visible(item.text)}{state}")
    still_open = sum(item.is_open for item in items)
    print(f"{still_open} open, {len(items) - still_open} done")
    return 0
