"""The plain process: keeps a submission from running away, isolates nothing that could be relied on.

Theory of operation: the runner locks itself in before it listens (guard.py): limits, no privileges,
the system-call filter, and Landlock where the kernel has it, which leaves it Python and an empty
folder of all files. It adopts every orphan below it, so the kill from outside finds the whole
tree, whatever sessions hide in it; where the grader may make one, a control group knows the tree as
well and caps what it uses: Landlock keeps the tree from leaving it by the files of control groups.
Should a submission get its runner killed, the orphans come to the grader, which has made itself their
next parent and knows them by the runner's command line. What the process shares with the grader all
the same: the user, and without Landlock every file.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import psutil

from grader.errors import SandboxError
from grader.inside import guard
from grader.model import Limits
from grader.sandbox import cgroup, delegation, promises
from grader.sandbox.base import OPEN_FILES, Box, Probe
from grader.sandbox.contents import ENVIRONMENT, command, contents
from grader.sandbox.owner import identity, is_left, is_over, own_name
from grader.sandbox.piped_box import KILL_SECONDS, PipedBox, has_ended, start
from grader.sandbox.runtime import runtime
from grader.sandbox.self_test import say_hello_to
from grader.sandbox.spawner import in_spawner

_LINUX: Final = sys.platform == "linux"
_SCRATCH: Final = "maze-grader-box"


class ProcessBackend:
    """Runners as plain processes of the same user."""

    name = "process"
    isolation = (
        "Nothing is isolated: a plain process with limits, on the same machine and as the same user; "
        "only for people who run their own code."
    )

    def probe(self) -> Probe:
        """Start a runner and get its hello."""
        return say_hello_to(self, promises.protections(self.name))

    def open(self, limits: Limits) -> Box:
        """Start a runner. Raises SandboxError."""
        scratch = tempfile.mkdtemp(prefix=own_name(_SCRATCH))
        try:
            _prepare_grader(os.getpid())
            return in_spawner(lambda: _start(limits, scratch))
        except OSError as error:
            shutil.rmtree(scratch, ignore_errors=True)
            raise SandboxError(f"cannot start a runner as a plain process: {error}") from error


@dataclass(slots=True)
class RunnerTree:
    """One runner, with all that it started."""

    process: subprocess.Popen[bytes]
    token: str
    scratch: str
    group: cgroup.Group | None = None

    def is_over(self, seconds: float) -> bool:
        """Tell whether the runner ends by itself within these seconds."""
        return has_ended(self.process, seconds)

    def kill(self) -> None:
        """End the tree: stop it first, so that nothing new grows while it is being cut down."""
        if self.group:
            self.group.kill()
        for act in (psutil.Process.suspend, psutil.Process.kill):
            for member in _members(self.process.pid):
                _do(act, member)
        self.process.kill()

    def reap(self) -> bool:
        """Wait for the runner, end what outlived it, and take its folder away."""
        gone = has_ended(self.process, KILL_SECONDS)
        _end_orphans(self.token)
        shutil.rmtree(self.scratch, ignore_errors=True)
        return gone

    def status(self) -> int | None:
        """How the runner ended."""
        return self.process.returncode


def _start(limits: Limits, scratch: str) -> PipedBox:
    """Start a runner; nothing of a submission comes in before its group holds it."""
    token = f"{identity(os.getpid())}:{secrets.token_hex(8)}"
    trees = delegation.trees() if _LINUX else None
    box = str(contents().folder)
    arguments = command(_python(), box, f"--scratch={scratch}", rules=repr(_rules(box, scratch)))
    arguments[1:1] = ["-X", f"box={token}"]
    process = start(arguments, cwd=scratch, env=dict(ENVIRONMENT))
    tree = RunnerTree(process, token, scratch)
    opened = PipedBox(process, tree)
    try:
        if trees:
            tree.group = cgroup.Group(trees, limits, spare_processes=1)
            tree.group.add(process.pid)
    except OSError:
        opened.close()
        raise
    return opened


def _python() -> str:
    """The copy of Python that other boxes use, too; on other systems, the Python that runs."""
    if not _LINUX:
        return str(getattr(sys, "_base_executable", sys.executable))
    place = runtime()
    return f"{place.root}{place.python}"


def _rules(box: str, scratch: str) -> dict[str, Any]:
    """What the runner takes from itself, as far as this machine can."""
    rules: dict[str, Any] = {"limits": {"CORE": 0, "NOFILE": OPEN_FILES}}
    if not _LINUX:
        return rules
    rules |= {"parent": os.getpid(), "no_capabilities": True, "no_new_privileges": True}
    here = promises.features()
    if "landlock" in here:
        place = runtime()
        read = [str(place.root), box, "/dev/urandom", "/proc/self/task", *place.libraries]
        rules["files"] = {"read": read, "write": [scratch, "/dev/null"]}
    if "filter" in here:
        rules["filter"] = True
    return rules


@lru_cache(maxsize=1)
def _prepare_grader(_process: int) -> None:
    """Shut the grader's memory to others of its user, and make it the last parent of all orphans."""
    if _LINUX:
        guard.make_undumpable()
        guard.become_subreaper()
        _sweep()


def _sweep() -> None:
    """End the processes and remove the folders that graders which are no more have left."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}-*"):
        if is_left(folder.name):
            shutil.rmtree(folder, ignore_errors=True)
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            for word in process.cmdline()[:3]:
                if word.startswith("box=") and is_over(word[4:].partition(":")[0]):
                    process.kill()


def _members(root: int) -> list[psutil.Process]:
    """The process and everything below it."""
    with contextlib.suppress(psutil.Error):
        top = psutil.Process(root)
        return [top, *top.children(recursive=True)]
    return []


def _do(act: Callable[[psutil.Process], None], process: psutil.Process) -> None:
    with contextlib.suppress(psutil.Error):
        act(process)


def _end_orphans(token: str) -> None:
    """End what outlived its runner and so became a child of the grader, and reap it."""
    if not _LINUX:
        return
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            if f"box={token}" in child.cmdline():
                for member in reversed(_members(child.pid)):
                    _do(psutil.Process.kill, member)
                child.wait(KILL_SECONDS)
