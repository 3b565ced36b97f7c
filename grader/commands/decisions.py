"""``grader review``, ``adjust``, ``withdraw`` and ``late``: what people decide about marks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import groupby
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import (
    NONE,
    Command,
    add_deadlines,
    add_key,
    add_results,
    add_rubric,
    add_shared,
    add_signature,
    add_submission,
    name_option,
    path_or_none,
    signature,
    take_away,
    text_option,
)
from grader.errors import InputError

if TYPE_CHECKING:
    from grader.batch.decisions import MarkChange
    from grader.batch.report.rows import Item
    from grader.batch.requests import Answer


def _add_review(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument(
        "--requests",
        type=Path,
        metavar="WHERE",
        help="open what students ask: a request.txt in its student's folder, a folder of them by student, or "
        "a table with the columns student, check and text",
    )
    parser.add_argument(
        "--share",
        type=text_option,
        nargs="+",
        default=[],
        metavar="NAME",
        help="share the work out by lot among these assistants, whose --next --by shows their own; or none",
    )
    parser.add_argument(
        "--groups",
        type=Path,
        metavar="CSV",
        help="with --share, keep groups together: a table with the columns student and group",
    )
    which = "ids, names of submissions, or kinds"
    for option, about in (("--done", "close items"), ("--reopen", "reopen items")):
        parser.add_argument(
            option, type=name_option, nargs="+", default=[], metavar="ITEM", help=f"{about}: {which}"
        )
    add_key(parser)
    add_signature(parser, "who closes or reopens them")


def _run_review(options: argparse.Namespace) -> int:
    """Print the items by kind, each kind with the proposed action."""
    from grader.batch.marking import tell_agreement
    from grader.batch.report.rows import PROPOSALS
    from grader.batch.review import lines_of, review
    from grader.batch.shares import read_shares, share_out

    if options.requests:
        from grader.batch.answers import take_in

        print(take_in(options.results, options.requests, signature(options), options.key))
        return 0
    if options.share:
        names = [] if options.share == [NONE] else options.share
        print(share_out(options.results, names, signature(options), options.groups))
        return 0
    if options.next:
        return _one_by_one(options)
    items = review(options.results, options.done, options.reopen, signature(options), options.key)
    shown, shares = [item for item in items if options.all or item.is_open], read_shares(options.results)
    for kind, theirs in groupby(shown, key=lambda item: item.kind):
        print(f"{kind}: {PROPOSALS[kind]}")
        for line in (line for item in theirs for line in lines_of(item, shares.of(item.submission))):
            print(f"  {line}")
    if agreement := tell_agreement(options.results):
        print(agreement)
    _print_count(options.results, items)
    return 0


def _print_count(results: Path, items: Sequence[Item]) -> None:
    """Print how many items there are, and whose work is not graded yet, which asks nobody."""
    from grader.batch.shares import read_shares, tell_counts
    from grader.exports.chosen_students import join_some
    from grader.exports.grades_csv import read_grades

    waiting = [grade.name for grade in read_grades(results) if grade.status == "waiting"]
    if waiting:
        print(f"not graded yet, or changed since: {join_some(waiting)}; grader batch grades them")
    shares, left = read_shares(results), [item for item in items if item.is_open]
    told = tell_counts([shares.of(item.submission) for item in left])
    by = tell_counts([item.who for item in items if not item.is_open])
    for_whom = f" (for {told})" if told else ""
    done = f"{len(items) - len(left)} done{f' (by {by})' if shares.names and by else ''}"
    print(f"{len(left)} open{for_whom}, {done}")


def _one_by_one(options: argparse.Namespace) -> int:
    """Go through the open items, with answers from the terminal or, one per line, from a pipe."""
    from grader.batch.review import Prompts, review, review_one_by_one
    from grader.batch.write_comments import read_choices, read_comments
    from lab.commands.screen import browse

    comments = read_comments(options.comments) if options.comments else read_choices(options.results)
    prompts = Prompts(lambda text: print(text, flush=True), _line, _key, browse)
    review_one_by_one(options.results, signature(options), comments, prompts)
    _print_count(options.results, review(options.results, (), (), signature(options)))
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


REVIEW = Command(
    "list what a person has to look at, and close or reopen items",
    "grader review results --done ada",
    _add_review,
    _run_review,
)


def _add_adjust(parser: argparse.ArgumentParser) -> None:
    add_submission(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--check",
        type=text_option,
        nargs=2,
        action="append",
        metavar=("CHECK", "POINTS"),
        help="add points to a check, or take some off, such as: bfs.large +1; 0 gives an unmarked check none",
    )
    what.add_argument(
        "--score", type=float, metavar="POINTS", help="set the whole score, whatever the checks gave"
    )
    what.add_argument("--exempt", action="store_true", help="give no mark, in tables and gradebooks too")
    what.add_argument("--undo", action="store_true", help="undo the last decision about this submission")
    what.add_argument(
        "--keep", action="store_true", help="confirm all decisions after the grader's mark has changed"
    )
    parser.add_argument(
        "--answers",
        type=text_option,
        metavar="CHECK",
        help="answer the student's request about this check; the reason is the answer, and without a change "
        "the mark is kept; the mark may fall as well as rise",
    )
    parser.add_argument(
        "--regraded",
        action="store_true",
        help="with --answers, say that the work was graded again after a fix",
    )
    parser.add_argument(
        "--reason", type=text_option, default="", help="why the mark changes; the student can read it"
    )
    parser.add_argument(
        "--comment",
        type=text_option,
        default="",
        help="a comment for the student; without a change, it leaves the mark as it is",
    )
    add_signature(parser)
    add_shared(parser)


def _run_adjust(options: argparse.Namespace) -> int:
    """Record the decision, and print the old mark and the new one."""
    from grader.batch.decisions import adjust_mark

    if options.answers or options.regraded:
        return _answer(options)
    print(adjust_mark(options.results, options.submission, _change(options), options.key))
    return 0


def _answer(options: argparse.Namespace) -> int:
    """Answer a request, and print what changed."""
    from grader.batch.answers import answer_request

    is_changed = bool(options.check) or options.score is not None
    if not options.answers or options.undo or options.keep or options.exempt or options.comment.strip():
        raise InputError(
            "--answers CHECK goes with --reason, and --check, --score, --regraded or none of them"
        )
    if is_changed and options.regraded:
        raise InputError("expected a changed mark or --regraded, not both: graded again, it has its mark")
    change = _change(options) if is_changed else None
    answer: Answer = "changed" if change else "regraded" if options.regraded else "kept"
    given = options.results, options.submission, options.answers, answer, signature(options), options.reason
    print(answer_request(*given, change, options.key))
    return 0


def _change(options: argparse.Namespace) -> MarkChange:
    """Return the change that the options ask for. Raises InputError."""
    from grader.batch.decisions import MarkChange

    who, reason = signature(options), options.reason
    if not (options.undo or options.keep or options.exempt or options.check) and options.score is None:
        if not options.comment.strip():
            raise InputError(
                "expected a change: --check, --score, --exempt, --undo or --keep; or a --comment"
            )
        return MarkChange("comment", who, reason, options.comment)
    if options.undo or options.keep:
        return MarkChange("undo" if options.undo else "keep", who, reason)
    if not reason.strip():
        raise InputError('expected a reason: --reason "why the mark changes"')
    if options.exempt:
        return MarkChange("exempt", who, reason, options.comment)
    if options.score is not None:
        return MarkChange("score", who, reason, options.comment, points=options.score)
    if len(options.check) > 1:
        raise InputError("expected one --check: give the command once for each")
    ((check, points),) = options.check
    return MarkChange("check", who, reason, options.comment, check, _points(points))


def _points(text: str) -> float:
    """Read a finite number of points. Raises InputError."""
    try:
        points = float(text)
    except ValueError:
        points = inf
    if not isfinite(points):
        raise InputError(f"expected points to add or to take off, such as +1 or -2.5, got {text}")
    return points


ADJUST = Command(
    "change the mark of one submission, recording who decided and why",
    'grader adjust results ada --check bfs.large +1 --reason "the limit was too low"',
    _add_adjust,
    _run_adjust,
)


def _add_withdraw(parser: argparse.ArgumentParser) -> None:
    add_results(parser)
    parser.add_argument("check", type=text_option, help="the id of the check, such as dfs.visit-order")
    parser.add_argument("--undo", action="store_true", help="count a withdrawn check again")
    parser.add_argument(
        "--reason", type=text_option, default="", help="why the check is withdrawn; students can read it"
    )
    parser.add_argument("--yes", action="store_true", help="do it without asking")
    add_signature(parser)
    add_shared(parser)


def _run_withdraw(options: argparse.Namespace) -> int:
    """Print whose marks would change, and change them after consent."""
    from grader.batch.decisions import withdraw

    has_reason = options.undo or bool(options.reason.strip())
    if options.yes and not has_reason:
        raise InputError('expected a reason: --reason "why the check is withdrawn"')

    def agree(lines: Sequence[str]) -> bool:
        print("\n".join(lines))
        return options.yes or (has_reason and sys.stdin.isatty() and _confirm(options.check))

    by = signature(options)
    changed = withdraw(options.results, options.check, by, options.reason, undo=options.undo, agree=agree)
    if changed:
        print("counted again" if options.undo else "withdrawn")
        print(changed)
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


WITHDRAW = Command(
    "withdraw an unfair check for the whole class, after showing whose marks would change",
    'grader withdraw results dfs.visit-order --reason "the statement was ambiguous"',
    _add_withdraw,
    _run_withdraw,
)


def _add_late(parser: argparse.ArgumentParser) -> None:
    add_results(parser)
    add_deadlines(parser)
    add_rubric(parser, "a rubric with another key 'late' (default: that of the last run)", path_or_none)
    add_shared(parser)


def _run_late(options: argparse.Namespace) -> int:
    """Update all marks and pages, and print whose marks changed."""
    from grader.batch.deadlines import recompute_lateness

    gone = take_away(options, "rubric", "times", "extensions")
    print(recompute_lateness(options.results, options.rubric, options.times, options.extensions, gone))
    return 0


LATE = Command(
    "apply the penalty for lateness anew, without grading again",
    "grader late results --extensions extensions.csv",
    _add_late,
    _run_late,
)
