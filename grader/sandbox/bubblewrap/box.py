"""One box of bubblewrap that was started: bytes in, bytes out, and how it ended."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import Final

from grader.errors import BoxTimeout, SandboxError
from grader.sandbox import cgroup
from grader.sandbox.base import PARTING_SECONDS, Ending
from grader.sandbox.bubblewrap import scope
from grader.sandbox.pipes import last_words, read_some, wait_for, write_all

_START_SECONDS: Final = 10.0
_KILL_SECONDS: Final = 5.0
_CHILD: Final = re.compile(rb'"child-pid"\s*:\s*(\d+)')
_EXIT: Final = re.compile(rb'"exit-code"\s*:\s*(\d+)')


@dataclass(slots=True)
class BubblewrapBox:
    """One box: bubblewrap outside, its process 1 inside, and the pipes between."""

    process: subprocess.Popen[bytes]
    status: int
    """Where bubblewrap reports."""
    group: cgroup.Group | scope.Scope | None
    report: bytes = b""
    first: int | None = None
    """A descriptor of process 1 of the box."""
    silent: bool = False
    """Whether its output came to its end: then it is about to end by itself."""
    ending: Ending | None = None

    def write(self, data: bytes, *, deadline: float) -> None:
        """Send all the bytes."""
        write_all(self._descriptor("stdin"), data, deadline)

    def read(self, *, deadline: float) -> bytes:
        """Return the next bytes."""
        data = read_some(self._descriptor("stdout"), deadline)
        self.silent = not data
        return data

    def complaint(self) -> str:
        """Return what was written to standard error and is still there."""
        return last_words(self._descriptor("stderr"))

    def memory_kills(self) -> int:
        """How many processes the kernel has killed for their memory, where there is a group."""
        return self.group.memory_kills() if self.group else 0

    def kill(self) -> None:
        """End process 1 of the box, and with it the kernel ends all others."""
        if self.ending:
            return
        if self.first is None:
            self.process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.first, signal.SIGKILL)

    def close(self) -> Ending:
        """End everything, wait until the kernel has, and clean up. Raises SandboxError."""
        if self.ending is None:
            over = self._is_over(PARTING_SECONDS if self.silent else 0)
            kills = self.memory_kills()
            self.kill()
            gone = self._wait_for_the_end()
            self._read_report()
            self.ending = _ending(self.report if over else b"", kills)
            self._clean_up()
            if not gone:
                raise SandboxError(f"a box did not end within {_KILL_SECONDS:g} seconds of its kill")
        return self.ending

    def follow(self) -> int:
        """Wait for bubblewrap to tell which process is the first of the box. Raises OSError."""
        deadline = time.monotonic() + _START_SECONDS
        while not (found := _CHILD.search(self.report)) or b"\n" not in self.report:
            wait_for(self.status, select.POLLIN, deadline, "was not set up")
            data = os.read(self.status, 4096)
            if not data:
                raise OSError(self.complaint() or "bubblewrap ended without a word")
            self.report += data
        pid = int(found[1])
        self.first = os.pidfd_open(pid)
        return pid

    def _is_over(self, seconds: float) -> bool:
        with contextlib.suppress(BoxTimeout):
            if self.first is not None:
                wait_for(self.first, select.POLLIN, time.monotonic() + seconds, "did not end")
                return True
        return False

    def _wait_for_the_end(self) -> bool:
        """When process 1 has ended, nothing is left of its namespace."""
        with contextlib.suppress(BoxTimeout, subprocess.TimeoutExpired):
            if self.first is not None:
                wait_for(self.first, select.POLLIN, time.monotonic() + _KILL_SECONDS, "did not end")
            self.process.wait(_KILL_SECONDS)
            return True
        self.process.kill()
        return False

    def _read_report(self) -> None:
        os.set_blocking(self.status, False)
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.status, 4096):
                self.report += data

    def _clean_up(self) -> None:
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        for descriptor in (self.status, self.first):
            if descriptor is not None:
                os.close(descriptor)
        if self.group:
            self.group.remove()

    def _descriptor(self, stream: str) -> int:
        return int(getattr(self.process, stream).fileno())


def _ending(report: bytes, kills: int) -> Ending:
    """bubblewrap reports a signal as 128 and its number."""
    found = _EXIT.search(report)
    if not found:
        return Ending(signal=signal.SIGKILL)
    code = int(found[1])
    if code > 128:
        return Ending(signal=code - 128, out_of_memory=kills > 0)
    return Ending(exit_status=code)
