"""``grader doctor``: which sandboxes work here, and which of their promises hold."""

from __future__ import annotations

import argparse
import sys

HELP = "say which sandboxes work here, and try what they promise"


def add_options(_parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command takes nothing."""


def run(_options: argparse.Namespace) -> int:
    """Try every sandbox with hostile programs, and print what each protects from."""
    from grader.sandbox.probe import doctor
    from grader.session.trials import broken

    print("grader: tries what each sandbox promises; this takes up to a minute", file=sys.stderr)
    print(doctor(broken))
    return 0
