"""A real Dask scheduler and workers in processes of their own, which tests may kill."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path


class DaskCluster:
    """A scheduler at a fixed port, and workers that look for it there."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    def begin(self, workers: int) -> None:
        """Start the scheduler, and workers that wait for it."""
        where = ("--host", "127.0.0.1", "--port", str(self._port), "--no-show", "--no-dashboard")
        self.scheduler = self._launch("distributed.cli.dask_scheduler", where)
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "300")
        to = (self.address, "--local-directory", str(self._folder))
        for _ in range(workers):
            self.workers.append(self._launch("distributed.cli.dask_worker", (*to, *options)))

    def kill(self) -> None:
        """Kill the scheduler without warning."""
        assert self.scheduler
        self.scheduler.kill()
        self.scheduler.wait()

    def _launch(self, module: str, options: Sequence[str]) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-W", "ignore", "-m", module, *options]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._stack.callback(process.wait, 30)
        self._stack.callback(process.kill)
        return process
