"""A systemd user session's way to cap a tree of processes: for graders that are not root.

``systemd-run --user --scope`` puts the command that it becomes into a control group of its own,
with limits; the session's owner may read its counters.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Final

from grader.model import Limits
from grader.sandbox.cgroup import counted_kills

_NEEDED: Final = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")


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
    properties = (
        f"MemoryMax={limits.memory_bytes}",
        "MemorySwapMax=0",
        f"TasksMax={limits.processes + spare_processes}",
        "CPUQuota=100%",
    )
    words = [word for text in properties for word in ("-p", text)]
    return ("systemd-run", "--user", "--scope", "--quiet", "--collect", *words, "--", "env", "-i")


def environment() -> dict[str, str]:
    """What systemd-run needs to find the session."""
    return {name: os.environ[name] for name in (*_NEEDED, "PATH") if name in os.environ}


@lru_cache(maxsize=1)
def works() -> bool:
    """Try it; root has better means."""
    if os.geteuid() == 0 or shutil.which("systemd-run") is None or _NEEDED[0] not in os.environ:
        return False
    trial = [*command(Limits(), spare_processes=0), "true"]
    try:
        asked = subprocess.run(  # noqa: S603 - the command of this module
            trial, capture_output=True, timeout=10, check=False, env=environment()
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0 and Path("/sys/fs/cgroup/cgroup.controllers").exists()
