"""Run the ``maze`` command in a student's folder, in this process or in one of its own."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from lab import cli, worker
from lab.commands import last_check, tab, watch
from lab.exercises import BY_ID

ROOT = Path(__file__).parents[2]


MAZE = [sys.executable, "-P", "-m", "lab.cli"]


class Outcome(NamedTuple):
    """What a command printed, and its exit status."""

    returncode: int
    stdout: str
    stderr: str


@contextlib.contextmanager
def _leaving_no_modules() -> Iterator[None]:
    """Unload what is imported meanwhile: students' files have names that many folders have."""
    modules, path = set(sys.modules), sys.path[:]
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            del sys.modules[name]
        importlib.invalidate_caches()


def maze(folder: Path, *arguments: str) -> Outcome:
    """Run the command in this process, in that folder, leaving none of its modules loaded."""
    output, errors = io.StringIO(), io.StringIO()
    with (
        _leaving_no_modules(),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
    ):
        try:
            status = cli.main(arguments)
        except SystemExit as wrong_usage:
            status = int(wrong_usage.code or 0)
    return Outcome(status, output.getvalue(), errors.getvalue())


def maze_apart(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does, in a process of its own."""
    return subprocess.run(
        [*MAZE, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )


def refused(folder: Path, *arguments: str) -> str:
    """Return the one line on standard error of a command that failed."""
    result = maze(folder, *arguments)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    return result.stderr.removesuffix("\n")


def write_dfs(folder: Path, body: str) -> None:
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    (folder / "solvers/dfs.py").write_text(
        f"from lab import *\n\n\nclass DFS:\n    def solve(self, maze, search):\n{lines}", encoding="utf-8"
    )


def checked(folder: Path, *exercises: str) -> str:
    """Return what maze check says of exercises: in this process, as the lab in a tab runs it."""
    files = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.py")
    }
    request = json.dumps({"ask": "check", "files": files, "saved": [], "ended": []})
    concerned = [BY_ID[exercise] for exercise in exercises]
    with (
        _leaving_no_modules(),
        mock.patch.dict(os.environ),
        mock.patch.object(watch, "concerned", return_value=concerned),
        mock.patch.object(worker, "on_look", int),
        mock.patch.object(last_check, "changes", return_value=""),
    ):
        text: str = json.loads(tab.answer(request, lambda _: None, folder.parent / "tab"))["text"]
    return text.replace(str(folder.parent / "tab"), folder.name)
