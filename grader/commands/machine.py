"""``grader doctor``, ``image`` and ``completion``: what this machine can do, and what is installed on it."""

from __future__ import annotations

import argparse
import sys

from grader.commands.common import Command, add_command, text_option
from grader.errors import GraderError
from lab.commands import command_line
from lab.commands.errors import CommandError


def _add_doctor(_parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no options."""


def _run_doctor(_options: argparse.Namespace) -> int:
    """Test every sandbox with hostile programs, and print what each protects against."""
    from grader.sandbox.base import doctor
    from grader.session.trials import broken

    print("grader: testing the promises of each sandbox; this takes up to a minute", file=sys.stderr)
    print(doctor(broken))
    return 0


DOCTOR = Command(
    "test which sandboxes work on this machine, and which of their promises hold",
    "grader doctor",
    _add_doctor,
    _run_doctor,
)


def _add_image(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    build = add_command(
        actions,
        "build",
        "build the image, unless it is up to date",
        "grader image build --base python:3.12-slim",
        allow_abbrev=False,
    )
    build.add_argument(
        "--base", type=text_option, metavar="IMAGE", help="the image with Python that it starts from"
    )


def _run_image(options: argparse.Namespace) -> int:
    """Build the image, and print what happened."""
    from grader.sandbox.docker_engine import build_image

    built = build_image(options.base)
    print(f"{built.tag} is ready ({built.note})")
    return 0


IMAGE = Command("build the Docker image of the sandbox", "grader image build", _add_image, _run_image)


def _run_completion(options: argparse.Namespace) -> int:
    """Print the code for the shell."""
    try:
        print(command_line.completion("grader", options.shell))
    except CommandError as error:
        raise GraderError(str(error)) from None
    return 0


COMPLETION = Command(
    "let your shell complete grader's commands",
    "grader completion bash",
    lambda parser: command_line.add_completion(parser, "grader"),
    _run_completion,
)
