"""``grader image build``: the Docker image of the sandbox."""

from __future__ import annotations

import argparse

from grader.commands.common import text_option

HELP = "the Docker image of the sandbox"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    build = actions.add_parser("build", help="build it, where it is not up to date", allow_abbrev=False)
    build.add_argument("--base", type=text_option, metavar="IMAGE", help="an image with Python to start from")


def run(options: argparse.Namespace) -> int:
    """Build the image, and print what happened."""
    from grader.sandbox.docker.image import build_image

    print(build_image(options.base))
    return 0
