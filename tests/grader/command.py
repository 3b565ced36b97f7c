"""Run the command grader in this process or in one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from grader.cli import main

ROOT = Path(__file__).parents[2]
ALONE = """
import sys
sys.modules["copydetect"] = sys.modules["matplotlib"] = None
from grader.cli import main
sys.exit(main())
"""
"""A grader that neither compares submissions nor draws plots, which takes most of the time of so small a
batch. Tests of the reports do so, in one process."""


class Outcome(NamedTuple):
    """What a command printed, and its exit status."""

    returncode: int
    stdout: str
    stderr: str


def grader(*arguments: str | Path, cwd: Path = ROOT) -> Outcome:
    """Run the command in this process, in that folder."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.chdir(cwd), contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as wrong_usage:
            status = int(wrong_usage.code or 0)
    return Outcome(status, output.getvalue(), errors.getvalue())


def grader_apart(*arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does, in a process of its own."""
    command = [sys.executable, "-m", "grader", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=300)
