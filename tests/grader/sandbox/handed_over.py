"""A control group delegated to an ordinary user, as systemd does for ``Delegate=yes``."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from grader.sandbox import cgroup
from grader.sandbox.cgroup import CONTROLLERS, list_processes
from tests.grader.sandbox.boxes import NOBODY, python

ROOT: Final = Path(__file__).parents[3]
_HANDED_OVER: Final = ("cgroup.procs", "cgroup.threads", "cgroup.subtree_control", "tasks")
_START: Final = """
mount --bind "$1" repo
mount --bind "$2" site
cd repo
shift 2
while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs"; shift; done
exec setpriv --reuid={user} --regid={user} --clear-groups "$@"
"""


def can_be_had() -> bool:
    """Return whether groups can be delegated: by root on Linux, if control groups are writable."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    return bool(cgroup.trees()) or "read-only" not in cgroup.obstacle()


@dataclass(frozen=True, slots=True)
class User:
    """An ordinary user in a group of their own, who can read the sources and the packages."""

    place: Path
    folders: frozenset[Path]

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start Python with these arguments, in the sources' folder and the user's group."""
        modules = str(Path(pytest.__file__).parents[1])
        before = ["unshare", "--mount", "sh", "-ec", _START.format(user=NOBODY), "sh", str(ROOT), modules]
        path = f"{self.place}/repo:{self.place}/site"
        return subprocess.Popen(
            [*before, *map(str, self.folders), "--", python(), "-B", *words],
            cwd=self.place,
            env={
                "PATH": os.environ["PATH"],
                "HOME": f"{self.place}/home",
                "PYTHONPATH": path,
                "LANG": "C.UTF-8",
            }
            | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *words: str) -> str:
        """Run Python with these arguments, expect success, and return the output."""
        with self.start(*words) as process:
            said, _ = process.communicate()
        assert process.returncode == 0, said
        return said

    def groups(self) -> set[str]:
        """Return the names of the groups below the delegated one."""
        return {path.name for folder in self.folders for path in folder.iterdir() if path.is_dir()}


@contextmanager
def user_with(*controllers: str) -> Iterator[User]:
    """Delegate a group that has these controllers only."""
    above, given = _groups(controllers or CONTROLLERS)
    for path in (path for folder in given for path in (folder, *(folder / file for file in _HANDED_OVER))):
        if path.exists():
            os.chown(path, NOBODY, NOBODY)
    place = Path(tempfile.mkdtemp(prefix="maze-grader-test-"))
    place.chmod(0o755)
    for each in ("repo", "site", "home"):
        (place / each).mkdir()
    os.chown(place / "home", NOBODY, NOBODY)
    try:
        yield User(place, frozenset(given))
    finally:
        for folder in above:
            _take_away(folder)
        shutil.rmtree(place)


def _groups(controllers: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """Make a group, or in version 1 one per controller; return those to remove, and those to delegate."""
    trees = cgroup.trees()
    assert trees, cgroup.obstacle()
    name = f"test-{secrets.token_hex(6)}"
    made = list({trees.places[each] / name: None for each in controllers})
    for folder in made:
        folder.mkdir()
    if not trees.unified:
        return made, made
    for each in controllers:
        (made[0] / "cgroup.subtree_control").write_text(f"+{each}")
    (made[0] / "given").mkdir()
    return made, [made[0] / "given"]


def _take_away(group: Path) -> None:
    below = [Path(folder) for folder, _, _ in os.walk(group, topdown=False)]
    end = time.monotonic() + 60
    while group.exists():
        assert time.monotonic() < end, f"{group} is not empty"
        for folder in below:
            for process in list_processes(folder):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            with contextlib.suppress(OSError):
                folder.rmdir()
        time.sleep(0.01)
