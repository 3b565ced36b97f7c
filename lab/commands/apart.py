"""Processes of their own for the student's code, with the lab that is running now."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

PYTHON = (sys.executable, "-P", "-B")
"""-P keeps a student's file from standing in for a module of Python."""


def environment() -> dict[str, str]:
    """The variables for such a process: no settings of other projects, and the way to the lab."""
    found = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    root = str(Path(__file__).parents[2])
    if root not in sysconfig.get_paths().values():  # a lab that is not installed is not found by itself
        paths = [root, found.get("PYTHONPATH")]
        found["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return found
