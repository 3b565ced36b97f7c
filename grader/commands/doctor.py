"""``grader doctor``: test which sandboxes work on this machine, and which of their promises hold."""

from __future__ import annotations

import argparse
import sys

HELP = "test which sandboxes work on this machine, and which of their promises hold"
EXAMPLE = "grader doctor"


def add_options(_parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no options."""


def run(_options: argparse.Namespace) -> int:
    """Test every sandbox with hostile programs, and print what each protects against."""
    from grader.sandbox.probe import doctor
    from grader.session.trials import broken

    print("grader: testing the promises of each sandbox; this takes up to a minute", file=sys.stderr)
    print(doctor(broken))
    return 0
