"""The ``grader`` command: runs one of its subcommands, and reports errors in one line."""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Protocol

from grader.batch.stop_signals import stop_on_signals
from grader.commands import (
    adjust,
    batch,
    choose,
    completion,
    course,
    diff,
    doctor,
    explain,
    export,
    forget,
    grade,
    image,
    late,
    maze,
    refresh,
    regrade,
    release,
    review,
    serve,
    show,
    verify,
    withdraw,
)
from grader.commands.common import add_command, restrict_permissions
from grader.commands.streams import OUTPUT, discard_unprinted, prepare_streams, restart_in_utf8
from grader.disk import disk_error
from grader.errors import GraderError
from lab import __version__
from lab.commands.command_line import CommandLine, complete

GC_THRESHOLDS = (200_000, 20, 100)
"""The garbage collector runs rarely, by these counts of objects: replies are large trees without cycles."""


class Command(Protocol):
    """The interface of the modules of ``grader.commands``; slow imports are left to ``run``."""

    HELP: str
    EXAMPLE: str

    def add_options(self, parser: argparse.ArgumentParser, /) -> None:
        """Add the arguments and options of the command."""

    def run(self, options: argparse.Namespace, /) -> int:
        """Run the command, and return the exit status."""


GROUPS: Final[Mapping[str, Mapping[str, Command]]] = {
    "grade": {"grade": grade, "batch": batch, "choose": choose, "regrade": regrade},
    "decide": {"review": review, "adjust": adjust, "withdraw": withdraw, "late": late},
    "teach": {
        "course": course,
        "explain": explain,
        "maze": maze,
        "verify": verify,
        "refresh": refresh,
        "release": release,
    },
    "serve": {"serve": serve, "forget": forget, "doctor": doctor, "image": image, "completion": completion},
    "look": {"show": show, "diff": diff, "export": export},
}
"""The commands, by what they are for."""
COMMANDS: Final[Mapping[str, Command]] = {
    name: command for group in GROUPS.values() for name, command in group.items()
}


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
        parser = make_parser()
        complete(parser)
        options = parser.parse_args(arguments)
    except SystemExit:
        sys.stdout.flush()  # a failure to print is reported here, not by Python at exit
        raise
    gc.set_threshold(*GC_THRESHOLDS)
    with stop_on_signals(), restrict_permissions(options):
        status = COMMANDS[options.command].run(options)
    sys.stdout.flush()
    return status


def _report(text: str) -> None:
    """Print an error; the terminal may be closed already."""
    with contextlib.suppress(OSError):
        print(f"grader: {text}", file=sys.stderr, flush=True)


@cache
def make_parser() -> CommandLine:
    """Return the parser of the command line with all commands; it is made once."""
    parser = CommandLine(
        prog="grader",
        description="Grade submissions of the lab on mazes as graphs. COMMAND --help explains each.",
        formatter_class=_Grouped,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"grader {__version__}")
    plain: argparse.ArgumentParser = parser
    commands = plain.add_subparsers(title="commands", required=True, metavar="COMMAND", dest="command")
    for name, command in COMMANDS.items():
        added = add_command(commands, name, command.HELP, command.EXAMPLE, allow_abbrev=False)
        command.add_options(added)
    return parser
