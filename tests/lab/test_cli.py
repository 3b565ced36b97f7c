"""The ``maze`` command as a student runs it: what it prints, and how it ends."""

from __future__ import annotations

import errno
import os
import pty
import subprocess
from pathlib import Path

import pytest

import lab
from lab import cli
from tests.lab.running import MAZE, maze, refused

NO_COLOUR = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}


def test_the_version_is_the_labs(tmp_path: Path) -> None:
    assert maze(tmp_path, "--version").stdout == f"maze {lab.__version__}\n"


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


def test_a_screen_that_takes_no_more_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123 - a device
        monkeypatch.setattr("sys.stdout", full)
        assert cli.main(["pack"]) == 1
        assert capsys.readouterr().err == (
            "maze: what is to be shown cannot be written: no space left on device: make room on that disk\n"
        )


@pytest.mark.parametrize(
    "arguments",
    [[], ["fly"], ["solve"], ["solve", "x", "--algorithm", "A*"], ["generate", "x", "-r", "0", "-c", "2"]],
)
def test_wrong_usage_ends_with_status_2(folder: Path, arguments: list[str]) -> None:
    assert maze(folder, *arguments).returncode == 2


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


def test_a_pipe_gets_neither(folder: Path) -> None:
    output = maze(folder, "solve", "mazes/dead_end.txt").stdout
    assert "+-+" not in output
    assert "\x1b" not in output


@pytest.mark.processes
def test_a_reader_that_leaves_early_is_no_mistake(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [*MAZE, "solve", "mazes/dead_end.txt"]
    result = subprocess.run(command, cwd=folder, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (result.returncode, result.stderr) == (0, b"")
