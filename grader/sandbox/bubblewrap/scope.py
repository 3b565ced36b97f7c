"""Limit a process tree through a systemd user session, for graders that do not run as root.

``systemd-run --user --scope`` runs a command in a control group of its own, with limits; the session's owner
may read its counters.
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
from grader.sandbox.cgroup import count_kills

_NEEDED: Final = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
_WITH_POLICY: Final = 253
"""From this version of systemd on, a scope ends as a whole when one process runs out of memory, by default.
"""
_TRIAL: Final = """
cd "/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)" || exit
for file in memory.max pids.max cpu.max; do [ ! -r $file ] || echo $file $(cat $file); done
"""


class Scope:
    """The control group of a command started in a scope."""

    def __init__(self, process: int) -> None:
        """Find the group of the process."""
        self._folder: Path | None = None
        with contextlib.suppress(OSError, IndexError):
            lines = Path(f"/proc/{process}/cgroup").read_text(encoding="utf-8").splitlines()
            own = next(line for line in lines if line.startswith("0::"))
            self._folder = Path("/sys/fs/cgroup", own[3:].lstrip("/"))

    def memory_kills(self) -> int:
        """Return how many processes the kernel has killed there for their memory."""
        return 0 if self._folder is None else count_kills(self._folder / "memory.events")

    def remove(self) -> None:
        """Do nothing: systemd removes the group when it is empty."""


def command(limits: Limits, *, spare_processes: int) -> tuple[str, ...]:
    """Return the prefix for a command that starts it in a scope and without an environment."""
    return (*_scope(limits, spare_processes), "env", "-i")


def environment() -> dict[str, str]:
    """Return the variables by which systemd-run finds the session."""
    return {name: os.environ[name] for name in (*_NEEDED, "PATH") if name in os.environ}


@lru_cache(maxsize=1)
def caps() -> frozenset[str]:
    """Return which controllers limit a scope, determined by trying; none for root, who has better means.

    If the session lacks a controller, systemd-run creates a scope without it and reports no error.
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
