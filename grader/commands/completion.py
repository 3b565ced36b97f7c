"""``grader completion``: print the code with which a shell completes grader's commands and options."""

from __future__ import annotations

import argparse

from grader.errors import GraderError
from lab.commands import command_line
from lab.commands.errors import CommandError

HELP = "let your shell complete grader's commands"
EXAMPLE = "grader completion bash"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
    command_line.add_completion(parser, "grader")


def run(options: argparse.Namespace) -> int:
    """Print the code for the shell."""
    try:
        print(command_line.completion("grader", options.shell))
    except CommandError as error:
        raise GraderError(str(error)) from None
    return 0
