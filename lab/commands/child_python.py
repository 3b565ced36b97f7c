"""Runs student's code in processes of its own, with the lab that is running now."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

PYTHON = (sys.executable, "-P", "-B")
"""Python is started with -P, which keeps a student's file from replacing a standard module."""


def environment() -> dict[str, str]:
    """Return the environment of such a process: without settings of other projects, and with the lab on
    the path."""
    found = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    root = str(Path(__file__).parents[2])
    if root not in sysconfig.get_paths().values():  # a lab that is not installed is not found by itself
        paths = [root, found.get("PYTHONPATH")]
        found["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return found
