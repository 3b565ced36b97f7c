"""One child as its parent sees it: a process, the lines it answers, what the submission prints."""

from __future__ import annotations

import fcntl
import gc
import os
import select
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import sleep
from typing import Final, NoReturn

from .guard import load_filter
from .landlock import stand_apart
from .seccomp import program_of_children, supported

ANSWERS, REPLIES = 8, 9
"""Where a child reads what the grader answers to it, and where it answers itself; the runner's own
descriptors lie above, and are closed in the child."""
_ASIDE: Final = 32
"""From here on the two ends are put aside, while their places are made free."""
_HIGHEST_DESCRIPTOR: Final = 4096
_CHUNK: Final = 65536
_REFUSED_TO_CHILDREN: Final = program_of_children() if sys.platform == "linux" and supported() else b""
_WITHOUT_PIDFD_SECONDS: Final = 0.02
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""The number of bytes in the unit in which the kernel reports how much memory a process had."""


class ChildProcess:
    """A child that was just forked."""

    def __init__(
        self, pid: int, replies: int, output: int, answers: int, mark: bytes, most_output: int
    ) -> None:
        self.pid = pid
        self._answers = answers
        self.status: int | None = None
        """The exit status, or minus the signal, once the process has ended."""
        self.peak_bytes = 0
        """The most memory that the process had, once it has ended."""
        self.closed = False
        """Whether nobody can answer any more."""
        self.lines: deque[bytes] = deque()
        self.outputs: deque[bytes] = deque()
        """What was printed in each of the calls that are over."""
        self.output = bytearray()
        """What was printed in the call in hand; not all of it where it is more than ``most_output`` bytes."""
        self.rest = bytearray()
        """A line that has not ended yet."""
        self._mark, self._most_output = mark, most_output
        self._poll = select.poll()
        self._readers = {replies: self._take_replies, output: self._take_output}
        for descriptor in self._readers:
            os.set_blocking(descriptor, False)
            self._poll.register(descriptor, select.POLLIN)
        self._replies = replies
        self._pidfd = _pidfd(pid)
        if self._pidfd is not None:
            self._poll.register(self._pidfd, select.POLLIN)

    def listen(self, seconds: float, *, nap: float = 0.0) -> None:
        """Wait for something to happen, ``seconds`` at most, nap, and take in what did.

        A child writes what a call printed before it writes the answer. So the answers are read first: what
        belongs to them is there by then.
        """
        if self._pidfd is None:
            seconds = min(seconds, _WITHOUT_PIDFD_SECONDS)
        ready = self._poll.poll(max(0.0, seconds) * 1000)
        if ready:
            if nap:
                sleep(nap)
            for descriptor in self._readers:
                self._read(descriptor)
        if self._pidfd is None or any(descriptor == self._pidfd for descriptor, _ in ready):
            self.reap()

    def tell(self, line: bytes) -> bool:
        """Hand a line to the child; return False where the child takes none, since nobody waits for it."""
        try:
            return os.write(self._answers, line) == len(line)
        except OSError:
            return False

    def hand_over(self, data: bytes) -> None:
        """Hand any amount of data to a child that is sure to read it, or to end."""
        os.set_blocking(self._answers, True)
        view = memoryview(data)
        with suppress(BrokenPipeError):
            while view:
                view = view[os.write(self._answers, view) :]
        os.set_blocking(self._answers, False)

    def reap(self) -> None:
        """Note how the process ended, if it has."""
        if self.status is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                self.peak_bytes = usage.ru_maxrss * _RSS_UNIT

    def drain(self, most_bytes: int) -> None:
        """Take in what is left in the pipes of an ended child, about ``most_bytes`` from each."""
        for descriptor in list(self._readers):
            for _ in range(most_bytes // _CHUNK + 2):
                if not self._read(descriptor):
                    break

    def next_output(self) -> bytes:
        """Return what was printed in the first call whose output was not returned yet."""
        if self.outputs:
            return self.outputs.popleft()
        printed = bytes(self.output)
        self.output.clear()
        return printed

    def close(self) -> None:
        """Close the pipes."""
        for descriptor in (*self._readers, self._answers, self._pidfd):
            if descriptor is not None:
                os.close(descriptor)

    def _read(self, descriptor: int) -> bool:
        """Read one chunk; tell whether there may be more."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._readers[descriptor](data)
            return True
        self._forget(descriptor)
        return False

    def _forget(self, descriptor: int) -> None:
        try:
            self._poll.unregister(descriptor)
        except KeyError:
            return
        self.closed |= descriptor == self._replies

    def _take_replies(self, data: bytes) -> None:
        self.rest += data
        if b"\n" in data:
            *lines, rest = self.rest.split(b"\n")
            self.lines.extend(map(bytes, lines))
            self.rest = rest

    def _take_output(self, data: bytes) -> None:
        start = max(0, len(self.output) - len(self._mark))
        self.output += data
        if self.output.find(self._mark, start) >= 0:
            *ended, rest = self.output.split(self._mark)
            self.outputs.extend(map(bytes, ended))
            self.output = rest
        del self.output[self._most_output : -len(self._mark)]


def fork(run: Callable[[int, int], NoReturn], mark: bytes, most_output: int) -> ChildProcess:
    """Fork a child that calls ``run`` with two descriptors: to answer on, and to be answered on."""
    replies, replies_end = os.pipe()
    output, output_end = os.pipe()
    answers_end, answers = os.pipe()
    os.set_blocking(answers, False)
    pid = os.fork()
    if not pid:
        try:
            gc.enable()  # the runner does without
            _settle(replies_end, output_end, answers_end)
            run(REPLIES, ANSWERS)
        finally:
            os._exit(1)
    os.close(replies_end)
    os.close(output_end)
    os.close(answers_end)
    return ChildProcess(pid, replies, output, answers, mark, most_output)


def _settle(replies: int, output: int, answers: int) -> None:
    """Leave the runner's session, and keep no descriptor of it but the three ends; runs in the child.

    The child can then reach no process but those that the submission starts.
    """
    os.setsid()
    _own_input()
    os.dup2(output, 1)
    os.dup2(output, 2)
    replies, answers = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _ASIDE) for end in (replies, answers))
    os.dup2(replies, REPLIES, inheritable=False)
    os.dup2(answers, ANSWERS, inheritable=False)
    os.closerange(3, ANSWERS)
    os.closerange(REPLIES + 1, _HIGHEST_DESCRIPTOR)
    stand_apart()
    if _REFUSED_TO_CHILDREN:
        with suppress(OSError):  # where new privileges can be gained
            load_filter(_REFUSED_TO_CHILDREN)


def _own_input() -> None:
    """Give the child an input of its own, at its end: what is set on a shared one, the next process sees."""
    ended, end = os.pipe()
    os.close(end)
    os.dup2(ended, 0)
    os.close(ended)


def _pidfd(pid: int) -> int | None:
    """Return a descriptor that shows when the process ends; None where the system has no such thing."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
