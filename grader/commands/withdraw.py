"""``grader withdraw``: a check that turned out to be unfair counts for nobody."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from grader.commands.common import add_results, add_shared, add_signature, signature, text_option
from grader.errors import InputError

HELP = "withdraw a check for the whole class, once it was seen whose marks move"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_results(parser)
    parser.add_argument("check", type=text_option, help="its id, such as dfs.visit-order")
    parser.add_argument("--undo", action="store_true", help="count a withdrawn check again")
    parser.add_argument("--reason", type=text_option, default="", help="why; students read it")
    parser.add_argument("--yes", action="store_true", help="do it; without, a terminal is asked")
    add_signature(parser)
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Print whose marks would move, and move them where that is agreed to."""
    from grader.batch.changes.withdraw import withdraw

    has_reason = options.undo or bool(options.reason.strip())
    if options.yes and not has_reason:
        raise InputError('expected a reason: --reason "why the check is withdrawn"')

    def agree(lines: Sequence[str]) -> bool:
        print("\n".join(lines))
        return options.yes or (has_reason and sys.stdin.isatty() and _answer(options.check))

    by = signature(options)
    done = withdraw(options.results, options.check, by, options.reason, undo=options.undo, agree=agree)
    if done:
        print("counted again" if options.undo else "withdrawn")
    else:
        print("Nothing was changed: --yes does it" + ("." if has_reason else ", with a --reason."))
    return 0


def _answer(check: str) -> bool:
    try:
        return input(f"Move these marks for {check}? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
