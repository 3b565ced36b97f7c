"""``grader withdraw``: withdraw an unfair check for the whole class."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from grader.commands.common import add_results, add_shared, add_signature, signature, text_option
from grader.errors import InputError

HELP = "withdraw an unfair check for the whole class, after showing whose marks would change"
EXAMPLE = 'grader withdraw results dfs.visit-order --reason "the statement was ambiguous"'


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    add_results(parser)
    parser.add_argument("check", type=text_option, help="the id of the check, such as dfs.visit-order")
    parser.add_argument("--undo", action="store_true", help="count a withdrawn check again")
    parser.add_argument(
        "--reason", type=text_option, default="", help="why the check is withdrawn; students can read it"
    )
    parser.add_argument("--yes", action="store_true", help="do it without asking")
    add_signature(parser)
    add_shared(parser)


def run(options: argparse.Namespace) -> int:
    """Print whose marks would change, and change them after consent."""
    from grader.batch.changes.withdraw import withdraw

    has_reason = options.undo or bool(options.reason.strip())
    if options.yes and not has_reason:
        raise InputError('expected a reason: --reason "why the check is withdrawn"')

    def agree(lines: Sequence[str]) -> bool:
        print("\n".join(lines))
        return options.yes or (has_reason and sys.stdin.isatty() and _confirm(options.check))

    by = signature(options)
    done = withdraw(options.results, options.check, by, options.reason, undo=options.undo, agree=agree)
    if done:
        print("counted again" if options.undo else "withdrawn")
    else:
        print(
            "Nothing was changed: repeat the command with --yes" + ("." if has_reason else " and --reason.")
        )
    return 0


def _confirm(check: str) -> bool:
    """Ask on the terminal; return whether the answer is yes."""
    try:
        return input(f"Change these marks for {check}? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
