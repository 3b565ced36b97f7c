"""A systemd user session's way to cap a tree of processes: for graders that are not root.

``systemd-run --user --scope`` puts the command that it becomes into a control group of its own,
with limits; the session's owner may read its counters.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Final

from grader.model import Limits
from grader.sandbox.cgroup import counted_kills

_NEEDED: Final = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
_WITH_POLICY: Final = 253
"""From this version on systemd ends a whole scope when the kernel ends one process in it for its memory,
where it is not told to let the others go on."""
_TRIAL: Final = """
cd "/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)" || exit
for file in memory.max pids.max cpu.max; do [ ! -r $file ] || echo $file $(cat $file); done
"""


class Scope:
    """The control group of a command that was started in a scope."""

    def __init__(self, process: int) -> None:
        """Find the group of the process."""
        self._folder: Path | None = None
        with contextlib.suppress(OSError, IndexError):
            lines = Path(f"/proc/{process}/cgroup").read_text(encoding="utf-8").splitlines()
            own = next(line for line in lines if line.startswith("0::"))
            self._folder = Path("/sys/fs/cgroup", own[3:].lstrip("/"))

    def memory_kills(self) -> int:
        """How many processes the kernel has killed there for their memory."""
        return 0 if self._folder is None else counted_kills(self._folder / "memory.events")

    def remove(self) -> None:
        """systemd takes it away when it is empty."""


def command(limits: Limits, *, spare_processes: int) -> tuple[str, ...]:
    """Return the words to put before a command; it then starts without an environment."""
    return (*_scope(limits, spare_processes), "env", "-i")


def environment() -> dict[str, str]:
    """What systemd-run needs to find the session."""
    return {name: os.environ[name] for name in (*_NEEDED, "PATH") if name in os.environ}


@lru_cache(maxsize=1)
def caps() -> frozenset[str]:
    """Try it, and return which controllers cap what runs in a scope; root has better means.

    systemd-run makes a scope, and says nothing, where the session was not given a controller.
    """
    if os.geteuid() == 0 or shutil.which("systemd-run") is None or _NEEDED[0] not in os.environ:
        return frozenset()
    trial = [*_scope(Limits(), 0), "sh", "-c", _TRIAL]
    try:
        asked = subprocess.run(  # noqa: S603 - the command of this module
            trial, capture_output=True, text=True, timeout=10, check=False, env=environment()
        )
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    told = (line.partition(".max ") for line in asked.stdout.splitlines())
    return frozenset(controller for controller, _, value in told if not value.startswith("max"))


def _scope(limits: Limits, spare_processes: int) -> tuple[str, ...]:
    properties = (
        f"MemoryMax={limits.memory_bytes}",
        "MemorySwapMax=0",
        f"TasksMax={limits.processes + spare_processes}",
        "CPUQuota=100%",
        *(("OOMPolicy=continue",) if _version() >= _WITH_POLICY else ()),
    )
    words = [word for text in properties for word in ("-p", text)]
    return ("systemd-run", "--user", "--scope", "--quiet", "--collect", *words, "--")


@lru_cache(maxsize=1)
def _version() -> int:
    asked = subprocess.run(
        ["systemd-run", "--version"],  # noqa: S607 - wherever the system has it
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    found = re.match(r"systemd (\d+)", asked.stdout)
    return int(found[1]) if found else 0
