"""``grader image build``: build the Docker image of the sandbox."""

from __future__ import annotations

import argparse

from grader.commands.common import add_command, text_option

HELP = "build the Docker image of the sandbox"
EXAMPLE = "grader image build"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of the command."""
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


def run(options: argparse.Namespace) -> int:
    """Build the image, and print what happened."""
    from grader.sandbox.docker.image import build_image

    built = build_image(options.base)
    print(f"{built.tag} is ready ({built.note})")
    return 0
