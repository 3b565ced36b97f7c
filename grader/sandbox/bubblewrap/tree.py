"""The processes of one bubblewrap box: bubblewrap outside, process 1 and its descendants inside."""

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

from grader.errors import BoxTimeout
from grader.sandbox import cgroup
from grader.sandbox.bubblewrap import scope
from grader.sandbox.piped_box import KILL_SECONDS, complaint_of, has_ended, wait_for

_START_SECONDS: Final = 10.0
"""How long bubblewrap may take to set up a box."""
_CHILD: Final = re.compile(rb'"child-pid"\s*:\s*(\d+)')
_EXIT: Final = re.compile(rb'"exit-code"\s*:\s*(\d+)')


@dataclass(slots=True)
class NamespaceTree:
    """The processes of a box; when the first of their namespace ends, the kernel ends all others."""

    process: subprocess.Popen[bytes]
    report_end: int
    """The descriptor for reading bubblewrap's reports."""
    group: cgroup.Group | scope.Scope | None = None
    report: bytes = b""
    first: int | None = None
    """A descriptor of process 1 of the box."""

    def follow(self) -> int:
        """Wait until bubblewrap reports the id of the box's first process, and return it. Raises OSError."""
        deadline = time.monotonic() + _START_SECONDS
        while not (found := _CHILD.search(self.report)) or b"\n" not in self.report:
            wait_for(self.report_end, select.POLLIN, deadline, "was not set up")
            data = os.read(self.report_end, 4096)
            if not data:
                raise OSError(complaint_of(self.process) or "bubblewrap ended without a word")
            self.report += data
        pid = int(found[1])
        self.first = os.pidfd_open(pid)
        return pid

    def is_over(self, seconds: float) -> bool:
        """Return whether process 1 exits within these seconds."""
        with contextlib.suppress(BoxTimeout):
            if self.first is not None:
                wait_for(self.first, select.POLLIN, time.monotonic() + seconds, "did not end")
                return True
        return False

    def kill(self) -> None:
        """Kill process 1 of the box, and thereby all others."""
        if self.first is None:
            self.process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.first, signal.SIGKILL)

    def reap(self) -> bool:
        """Wait for the end; return whether it came in time.

        Once process 1 has ended, its namespace is empty.
        """
        gone = (self.first is None or self.is_over(KILL_SECONDS)) and has_ended(self.process, KILL_SECONDS)
        if not gone:
            self.process.kill()
        self._read_report()
        for descriptor in (self.report_end, self.first):
            if descriptor is not None:
                os.close(descriptor)
        return gone

    def status(self) -> int | None:
        """Return how process 1 ended; bubblewrap reports a signal as 128 plus its number."""
        found = _EXIT.search(self.report)
        code = int(found[1]) if found else None
        return 128 - code if code is not None and code > 128 else code

    def _read_report(self) -> None:
        os.set_blocking(self.report_end, False)
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.report_end, 4096):
                self.report += data
