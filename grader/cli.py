"""The ``grader`` command: runs one of its subcommands, and reports errors in one line."""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Final

from grader.batch.stop_signals import stop_on_signals
from grader.commands.common import (
    OUTPUT,
    Command,
    add_command,
    discard_unprinted,
    prepare_streams,
    restart_in_utf8,
    restrict_permissions,
)
from grader.disk import disk_error
from grader.errors import GraderError
from lab import __version__
from lab.commands.command_line import CommandLine, complete

GC_THRESHOLDS = (200_000, 20, 100)
"""The garbage collector runs rarely, by these counts of objects: replies are large trees without cycles."""


GROUPS: Final = {
    "grade": {"grade": "grading", "batch": "grading", "choose": "grading", "regrade": "grading"},
    "decide": {"review": "decisions", "adjust": "decisions", "comment": "comments"}
    | {"withdraw": "decisions", "late": "decisions"},
    "teach": {"course": "course", "explain": "course", "maze": "maze"}
    | {"verify": "release", "refresh": "course", "release": "release"},
    "serve": {"serve": "serve", "forget": "serve"}
    | {"doctor": "machine", "image": "machine", "completion": "machine"},
    "look": {"show": "results", "try": "results", "diff": "results", "export": "results"},
}
"""The commands, by what they are for, and the module of ``grader.commands`` that holds each."""
MODULES: Final = {name: module for group in GROUPS.values() for name, module in group.items()}


class _Grouped(argparse.HelpFormatter):
    """Writes the name of each group above its first command."""

    def _format_action(self, action: argparse.Action) -> str:
        heading = next((name for name, group in GROUPS.items() if action.dest == next(iter(group))), None)
        text = super()._format_action(action)
        return f"\n  {heading}\n{text}" if heading else text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status: 0 done, 1 could not be done, 2 wrong usage."""
    if arguments is None:
        restart_in_utf8()
    prepare_streams()
    try:
        return _run(arguments)
    except GraderError as error:
        _report(str(error))
    except KeyboardInterrupt:
        _report("stopped")
    except OSError as error:
        if not (
            isinstance(error, BrokenPipeError) and error.filename == OUTPUT
        ):  # as below head: nobody reads
            _report(str(disk_error(error)))
    discard_unprinted()
    return 1


def _run(arguments: Sequence[str] | None) -> int:
    try:
        given = [*(sys.argv[1:] if arguments is None else arguments)]
        named = next(iter(given), "")
        parser = make_parser(named if named in MODULES else None)
        complete(parser)
        given[1:] = _command(named).expand(given[1:]) if named in MODULES else given[1:]
        options = parser.parse_args(given)
    except SystemExit:
        sys.stdout.flush()  # a failure to print is reported here, not by Python at exit
        raise
    gc.set_threshold(*GC_THRESHOLDS)
    with stop_on_signals(), restrict_permissions(options):
        status = _command(options.command).run(options)
    sys.stdout.flush()
    return status


def _command(name: str) -> Command:
    """Import a command, and return it."""
    found: Command = getattr(import_module(f"grader.commands.{MODULES[name]}"), name.upper())
    return found


def _report(text: str) -> None:
    """Print an error; the terminal may be closed already."""
    with contextlib.suppress(OSError):
        print(f"grader: {text}", file=sys.stderr, flush=True)


@cache
def make_parser(named: str | None = None) -> CommandLine:
    """Return the parser of the command line, with all commands or the one that is named; it is made once."""
    parser = CommandLine(
        prog="grader",
        description="Grade submissions of the lab on mazes as graphs. COMMAND --help explains each.",
        formatter_class=_Grouped,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"grader {__version__}")
    plain: argparse.ArgumentParser = parser
    commands = plain.add_subparsers(title="commands", required=True, metavar="COMMAND", dest="command")
    for name in MODULES if named is None else (named,):
        command = _command(name)
        command.add_options(add_command(commands, name, command.help, command.example, allow_abbrev=False))
    return parser
