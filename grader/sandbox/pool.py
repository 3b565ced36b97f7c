"""Boxes started in advance, so that their start-up time passes while another submission is graded.

A waiting box contains a runner that has received nothing yet; each is handed out once.
"""

from __future__ import annotations

import contextlib
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Self

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox.base import Backend, Box, Probe


class Pool:
    """A back end that keeps ``ahead`` boxes of another one ready, all with the same limits."""

    def __init__(self, backend: Backend, limits: Limits, *, ahead: int) -> None:
        """Begin to start the boxes. Raises ValueError for fewer than one."""
        if ahead < 1:
            raise ValueError(f"expected at least 1 box ahead, got {ahead}")
        self.name, self.isolation = backend.name, backend.isolation
        self._backend, self._limits = backend, limits
        self._starters = ThreadPoolExecutor(max_workers=1, thread_name_prefix="box-ahead")
        self._lock = Lock()
        self._ready: deque[Future[Box]] = deque(self._start() for _ in range(ahead))
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def probe(self) -> Probe:
        """Try the underlying back end."""
        return self._backend.probe()

    def open(self, limits: Limits) -> Box:
        """Hand out a waiting box, and start the next. Raises SandboxError."""
        with self._lock:
            if limits != self._limits or self._closed:
                return self._backend.open(limits)
            waiting = self._ready.popleft()
            self._ready.append(self._start())
        return waiting.result()

    def close(self) -> None:
        """End the boxes that were not handed out."""
        with self._lock:
            self._closed = True
            waiting, self._ready = list(self._ready), deque()
        for box in waiting:
            if not box.cancel():
                with contextlib.suppress(SandboxError):
                    box.result().close()
        self._starters.shutdown()

    def _start(self) -> Future[Box]:
        return self._starters.submit(self._backend.open, self._limits)
