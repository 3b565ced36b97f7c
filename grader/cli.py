"""The ``grader`` command: parses, runs one of its commands, and says in one line what went wrong."""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from grader.batch.stop_signals import stop_on_signals
from grader.commands import (
    adjust,
    batch,
    branching,
    diff,
    doctor,
    explain,
    export,
    forget,
    gallery,
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
from grader.commands.common import restrict_permissions
from grader.commands.streams import OUTPUT, discard_unprinted, prepare_streams, restart_in_utf8
from grader.disk import told
from grader.errors import GraderError
from lab import __version__

GC_THRESHOLDS = (200_000, 20, 100)
"""Replies are large trees of plain data without cycles: collecting at every 700th object took more
time than parsing them."""


class Command(Protocol):
    """A module of ``grader.commands``; what takes time to import is imported when it runs."""

    HELP: str

    def add_options(self, parser: argparse.ArgumentParser, /) -> None:
        """Add what the command takes."""

    def run(self, options: argparse.Namespace, /) -> int:
        """Do it, and return the exit status."""


COMMANDS: Final[Mapping[str, Command]] = {
    "grade": grade,
    "batch": batch,
    "adjust": adjust,
    "withdraw": withdraw,
    "regrade": regrade,
    "review": review,
    "late": late,
    "serve": serve,
    "diff": diff,
    "export": export,
    "forget": forget,
    "show": show,
    "explain": explain,
    "maze": maze,
    "verify": verify,
    "refresh": refresh,
    "release": release,
    "doctor": doctor,
    "image": image,
    "gallery": gallery,
    "branching": branching,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status: 0 done, 1 could not be done, 2 wrong usage."""
    if arguments is None:
        restart_in_utf8()
    prepare_streams()
    try:
        return _run(arguments)
    except GraderError as error:
        _say(str(error))
    except KeyboardInterrupt:
        _say("stopped")
    except OSError as error:
        if not (
            isinstance(error, BrokenPipeError) and error.filename == OUTPUT
        ):  # as below head: nobody reads
            _say(str(told(error)))
    discard_unprinted()
    return 1


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
    except SystemExit:
        sys.stdout.flush()  # what cannot be printed is told here, not by Python when it ends
        raise
    gc.set_threshold(*GC_THRESHOLDS)
    with stop_on_signals(), restrict_permissions(options):
        status = COMMANDS[options.command].run(options)
    sys.stdout.flush()
    return status


def _say(text: str) -> None:
    """Tell it in a line, where there is anybody: the terminal may be closed."""
    with contextlib.suppress(OSError):
        print(f"grader: {text}", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="grader", description="Grade submissions of the lab on mazes as graphs.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"grader {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND", dest="command")
    for name, command in COMMANDS.items():
        command.add_options(commands.add_parser(name, help=command.HELP, allow_abbrev=False))
    return parser
