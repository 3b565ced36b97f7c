"""The plain process: stops a runaway submission, but isolates nothing reliably.

Theory of operation: the runner restricts itself before it listens (guard.py): limits, no privileges, the
system-call filter and, if the kernel has it, Landlock, which leaves it no files but Python and an empty
folder. It adopts every orphan below it, so that a kill from outside reaches the whole tree, whatever sessions
its processes have. If the grader may create a control group, that contains the tree as well and limits its
resources; Landlock keeps the tree from leaving it through the files of control groups. If a submission gets
its runner killed, the orphans pass to the grader, which has made itself their next parent and recognises them
by the runner's command line. The process still shares its user with the grader and, without Landlock, all
files.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import psutil

from grader.disk import remove_tree
from grader.errors import SandboxError
from grader.inside import guard
from grader.model import Limits
from grader.sandbox import base, cgroup
from grader.sandbox.base import OPEN_FILES, Box, Probe, probe_by_hello
from grader.sandbox.cgroup import belongs_to_ended, identity, is_over, own_name
from grader.sandbox.contents import ENVIRONMENT, command, contents, runtime
from grader.sandbox.piped_box import KILL_SECONDS, PipedBox, has_ended, in_spawner, offer_to_the_kernel, start

_LINUX: Final = sys.platform == "linux"
_SCRATCH: Final = "maze-grader-box"


class ProcessBackend:
    """Run runners as plain processes of the same user."""

    name = "process"
    isolation = (
        "Nothing is isolated: a plain process with limits, on the same machine and as the same user; "
        "only for people who run their own code."
    )

    def probe(self) -> Probe:
        """Start a runner and wait for its hello."""
        return probe_by_hello(self, base.protections(self.name))

    def open(self, limits: Limits) -> Box:
        """Start a runner. Raises SandboxError."""
        scratch = tempfile.mkdtemp(prefix=own_name(_SCRATCH))
        try:
            _prepare_grader(os.getpid())
            return in_spawner(lambda: _start(limits, scratch))
        except OSError as error:
            remove_tree(scratch)
            raise SandboxError(f"cannot start a runner as a plain process: {error}") from error


@dataclass(slots=True)
class RunnerTree:
    """One runner, with all processes that it started."""

    process: subprocess.Popen[bytes]
    token: str
    scratch: str
    group: cgroup.Group | None = None

    def is_over(self, seconds: float) -> bool:
        """Return whether the runner exits within these seconds."""
        return has_ended(self.process, seconds)

    def kill(self) -> None:
        """Kill the tree, after suspending it, so that no new processes start meanwhile."""
        if self.group:
            self.group.kill()
        for act in (psutil.Process.suspend, psutil.Process.kill):
            for member in _members(self.process.pid):
                _do(act, member)
        self.process.kill()

    def reap(self) -> bool:
        """Wait for the runner, end processes that outlived it, and remove its folder."""
        gone = has_ended(self.process, KILL_SECONDS)
        _end_orphans(self.token)
        remove_tree(self.scratch)
        return gone

    def status(self) -> int | None:
        """Return how the runner ended, as Popen does."""
        return self.process.returncode


def _start(limits: Limits, scratch: str) -> PipedBox:
    """Start a runner; nothing of a submission is sent to it before its control group contains it."""
    token = f"{identity(os.getpid())}:{secrets.token_hex(8)}"
    trees = cgroup.trees() if _LINUX else None
    box = str(contents().folder)
    arguments = command(_python(), box, f"--scratch={scratch}", rules=repr(_rules(box, scratch)))
    arguments[1:1] = ["-X", f"box={token}"]
    process = start(arguments, cwd=scratch, env=dict(ENVIRONMENT))
    tree = RunnerTree(process, token, scratch)
    opened = PipedBox(process, tree)
    offer_to_the_kernel(process.pid)
    try:
        if trees:
            tree.group = cgroup.Group(trees, limits, spare_processes=1)
            tree.group.add(process.pid)
    except OSError:
        opened.close()
        raise
    return opened


def _python() -> str:
    """Return the copy of Python that other boxes use; on systems other than Linux, the running Python."""
    if not _LINUX:
        return str(getattr(sys, "_base_executable", sys.executable))
    place = runtime()
    return f"{place.root}{place.python}"


def _rules(box: str, scratch: str) -> dict[str, Any]:
    """Return the restrictions that the runner imposes on itself, as far as this machine supports them."""
    rules: dict[str, Any] = {"limits": {"CORE": 0, "NOFILE": OPEN_FILES}}
    if not _LINUX:
        return rules
    rules |= {"parent": os.getpid(), "no_capabilities": True, "no_new_privileges": True}
    here = base.features()
    if "landlock" in here:
        place = runtime()
        read = [str(place.root), box, "/dev/urandom", "/proc/self/task", *place.libraries]
        rules["files"] = {"read": read, "write": [scratch, "/dev/null"]}
    if "filter" in here:
        rules["filter"] = True
    return rules


@lru_cache(maxsize=1)
def _prepare_grader(_process: int) -> None:
    """Protect the grader's memory from its user's other processes, and make it the parent of orphans."""
    if _LINUX:
        guard.make_undumpable()
        guard.become_subreaper()
        _sweep()


def _sweep() -> None:
    """End the processes and remove the folders of graders that no longer run."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}-*"):
        if belongs_to_ended(folder.name):
            remove_tree(folder)
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            for word in process.cmdline()[:3]:
                if word.startswith("box=") and is_over(word[4:].partition(":")[0]):
                    process.kill()


def _members(root: int) -> list[psutil.Process]:
    """Return the process and all of its descendants."""
    with contextlib.suppress(psutil.Error):
        top = psutil.Process(root)
        return [top, *top.children(recursive=True)]
    return []


def _do(act: Callable[[psutil.Process], None], process: psutil.Process) -> None:
    with contextlib.suppress(psutil.Error):
        act(process)


def _end_orphans(token: str) -> None:
    """End and reap processes that outlived their runner and became children of the grader."""
    if not _LINUX:
        return
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            if f"box={token}" in child.cmdline():
                for member in reversed(_members(child.pid)):
                    _do(psutil.Process.kill, member)
                child.wait(KILL_SECONDS)
