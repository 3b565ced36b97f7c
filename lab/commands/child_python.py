"""Run students' code in processes of its own, with the running lab."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

PYTHON = (sys.executable, "-P", "-B")
"""The flag -P keeps a student's file from replacing a standard module."""


def environment() -> dict[str, str]:
    """Return a clean environment for such a process, with the lab on the path."""
    found = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    root = str(Path(__file__).parents[2])
    if root not in sysconfig.get_paths().values():  # needed if the lab is not installed
        paths = [root, found.get("PYTHONPATH")]
        found["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return found
