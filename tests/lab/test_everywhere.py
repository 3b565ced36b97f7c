"""The lab where modules of POSIX are not there, as on Windows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab.running import SAMPLE

pytestmark = pytest.mark.processes

MISSING = (
    *("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"),
    *("readline", "crypt", "nis", "ossaudiodev", "spwd"),
)
OPTIONAL = {"lab.render.plot", "lab.render.gif"}
"""They want packages that not everybody has."""
PROGRAM = f"""
import importlib, os, pkgutil, sys
for name in {MISSING!r}:
    sys.modules[name] = None
for name in ("fork", "forkpty", "killpg", "setsid", "getuid", "geteuid", "sysconf", "mkfifo"):
    delattr(os, name)
import lab
for found in pkgutil.walk_packages(lab.__path__, "lab."):
    if found.name not in {OPTIONAL!r}:
        importlib.import_module(found.name)
from lab.cli import main
sys.exit(main(["solve", "sample_maze.txt", "--algorithm", "DFS"]))
"""


def test_all_of_the_lab_works_without_them(folder: Path) -> None:
    (folder / "sample_maze.txt").write_text(SAMPLE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert "Solution: [south, east, north" in done.stdout
