"""``grader doctor``: which sandboxes work here."""

from __future__ import annotations

import argparse

HELP = "say which sandboxes work here"


def add_options(_parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command takes nothing."""


def run(_options: argparse.Namespace) -> int:
    """Try every sandbox, and print what each protects from."""
    from grader.sandbox.probe import doctor

    print(doctor())
    return 0
