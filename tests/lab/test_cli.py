"""The ``maze`` command in a terminal and without modules of POSIX: what it prints, and how it ends."""

from __future__ import annotations

import errno
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lab.drawn import SAMPLE
from tests.lab.running import MAZE, maze, refused

NO_COLOUR = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}


# --- files that are no mazes, places that cannot be written -------------------------------------------


def test_a_full_disk_is_told_and_what_was_there_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generate = ("generate", "/dev/full", "-r", "2", "-c", "2")
    assert refused(folder, *generate) == (
        "maze: /dev/full cannot be written: no space left on device: make room on that disk"
    )
    packed = maze(folder, "pack")
    before = (folder / "submission.zip").read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert packed.returncode == 0
    assert refused(folder, "pack") == (
        "maze: submission.zip cannot be written: no space left on device: make room on that disk"
    )
    assert (folder / "submission.zip").read_bytes() == before
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


# --- a terminal -------------------------------------------------------------------------------------


def in_terminal(folder: Path, **environment: str) -> str:
    """What the command writes when standard output is a terminal."""
    primary, secondary = pty.openpty()
    command = [*MAZE, "solve", "mazes/dead_end.txt"]
    subprocess.run(
        command, cwd=folder, stdout=secondary, env=NO_COLOUR | {"TERM": "xterm"} | environment, check=True
    )
    os.close(secondary)
    written = b""
    try:
        while chunk := os.read(primary, 4096):
            written += chunk
    except OSError:  # what reading gives at the end of a terminal
        pass
    os.close(primary)
    return written.decode().replace("\r\n", "\n")


@pytest.mark.processes
def test_a_terminal_gets_a_drawing_in_colour(folder: Path) -> None:
    written = in_terminal(folder)
    assert "+-+-+-+" in written
    assert "\x1b[" in written


@pytest.mark.processes
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_declined(folder: Path, environment: dict[str, str]) -> None:
    written = in_terminal(folder, **environment)
    assert written.endswith("+-+-+-+\n|S    |\n+.+-+-+\n|....E|\n+-+-+-+\n")
    assert "\x1b" not in written


@pytest.mark.processes
def test_a_reader_that_leaves_early_is_no_mistake(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [*MAZE, "solve", "mazes/dead_end.txt"]
    result = subprocess.run(command, cwd=folder, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (result.returncode, result.stderr) == (0, b"")


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


@pytest.mark.processes
def test_all_of_the_lab_works_without_them(folder: Path) -> None:
    (folder / "sample_maze.txt").write_text(SAMPLE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert "Solution: [south, east, north" in done.stdout
