"""Count the processes of a container that the kernel has killed for their memory.

If the engine runs on this machine, the kernel's counter in the container's control group is read; otherwise
the engine's events, which arrive with a short delay.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import docker

from grader.sandbox.cgroup import count_kills
from grader.sandbox.docker.engine import FAILURES

_ROOT = Path("/sys/fs/cgroup")


class MemoryCounter:
    """Count kills in one running container."""

    def __init__(self, client: docker.APIClient, container: str) -> None:
        """Find its control group. Raises the docker package's errors."""
        self._client, self._container, self._since = client, container, int(time.time()) - 1
        self._file = _counter(container, int(client.inspect_container(container)["State"]["Pid"]))

    def kills(self) -> int:
        """Return the number of kills so far."""
        return self._events() if self._file is None else count_kills(self._file)

    def _events(self) -> int:
        chosen = {"type": "container", "event": "oom", "container": self._container}
        with contextlib.suppress(*FAILURES):
            now = int(time.time()) + 1
            return sum(1 for _ in self._client.events(since=self._since, until=now, filters=chosen))
        return 0


def _counter(container: str, process: int) -> Path | None:
    """Return the counter's file; None if the engine's processes are invisible from here.

    Nothing is raised if the process id has been reused: its group then has another name.
    """
    try:
        lines = Path(f"/proc/{process}/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if container not in path:
            continue
        for folder, name in ((_ROOT / "memory", "memory.oom_control"), (_ROOT, "memory.events")):
            file = folder / path.lstrip("/") / name
            if ("memory" in controllers.split(",") or not controllers) and file.is_file():
                return file
    return None
