"""A box that is a child process, over pipes, and boxes that are started in advance.

The start-up time of those passes while another submission is graded. A waiting box contains a runner that
has received nothing yet; each is handed out once.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import IO, Any, Final, Protocol, Self, TypeVar

from grader.errors import BoxTimeout, SandboxError
from grader.model import Limits
from grader.sandbox.base import PARTING_SECONDS, Backend, Box, Ending, Probe

CHUNK_BYTES: Final = 65536
"""The most bytes that are read or written at once."""
_LONGEST_SECONDS: Final = 86400.0
"""The longest wait that is asked of the kernel."""


def wait_for(descriptor: int, event: int, deadline: float, doing: str) -> None:
    """Wait until the descriptor is ready. Raises BoxTimeout."""
    poll = select.poll()
    poll.register(descriptor, event)
    left = min(deadline - time.monotonic(), _LONGEST_SECONDS)
    if not poll.poll(max(0.0, left) * 1000):
        raise BoxTimeout(f"the box {doing} before its deadline")


def write_all(descriptor: int, data: bytes, deadline: float) -> None:
    """Write all bytes to a non-blocking pipe. Raises BoxTimeout or BrokenPipeError."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest[:CHUNK_BYTES]) :]
        except BlockingIOError:
            wait_for(descriptor, select.POLLOUT, deadline, "took no more bytes")
        if rest and time.monotonic() > deadline:
            raise BoxTimeout("the box took the bytes too slowly for its deadline")


def read_some(descriptor: int, deadline: float) -> bytes:
    """Return the next bytes of a non-blocking pipe, b"" at its end. Raises BoxTimeout."""
    while True:
        try:
            return os.read(descriptor, CHUNK_BYTES)
        except BlockingIOError:
            wait_for(descriptor, select.POLLIN, deadline, "gave no bytes")


def last_words(descriptor: int, most_bytes: int = CHUNK_BYTES) -> str:
    """Return what is already in a pipe, as text, without waiting."""
    with contextlib.suppress(BlockingIOError):
        return os.read(descriptor, most_bytes).decode("utf-8", "replace").strip()
    return ""


# --- spawner ----------------------------------------------------------------------------------------
# One thread that starts all processes of boxes, and lives as long as the grader.
#
# In Linux, "die with your parent" refers to the parent's *thread*: a box started by a worker thread would be
# killed when that thread ends.

Result = TypeVar("Result")


def in_spawner(work: Callable[[], Result]) -> Result:
    """Run the work in that thread; return its result, or raise its exception."""
    return _thread(os.getpid()).submit(work).result()


@lru_cache(maxsize=1)
def _thread(_process: int) -> ThreadPoolExecutor:
    """Return this process's thread; a forked grader has none of its parent's threads."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="box-spawner")


MOST_EXPENDABLE: Final = 1000
"""The kernel ends processes with this oom_score_adj first."""
KILL_SECONDS: Final = 5.0
"""How long the kernel may take to end killed processes: far more than it needs."""


class ProcessGroup(Protocol):
    """Counts and limits the processes of a box."""

    def memory_kills(self) -> int:
        """Return how many of them the kernel has killed for their memory."""

    def remove(self) -> None:
        """Remove the group once all its processes have ended."""


class ProcessTree(Protocol):
    """All processes of a box, which each back end ends in its own way."""

    @property
    def group(self) -> ProcessGroup | None:
        """The group that counts them, if any."""

    def is_over(self, seconds: float) -> bool:
        """Wait up to this many seconds for the first process to exit; return whether it did."""

    def kill(self) -> None:
        """Kill all of them; safe to call twice."""

    def reap(self) -> bool:
        """Wait until all have ended, and release their resources; return whether they ended in time."""

    def status(self) -> int | None:
        """Return how the first process ended, as Popen does; None if it is unknown or not reaped yet."""


@dataclass(slots=True)
class PipedBox:
    """One box: the process started for it, and its descendants."""

    process: subprocess.Popen[bytes]
    tree: ProcessTree
    silent: bool = False
    """Whether its output has ended, so that it is about to exit."""
    ending: Ending | None = None

    def write(self, data: bytes, *, deadline: float) -> None:
        """Send all bytes."""
        write_all(_descriptor(self.process.stdin), data, deadline)

    def read(self, *, deadline: float) -> bytes:
        """Return the next bytes."""
        data = read_some(_descriptor(self.process.stdout), deadline)
        self.silent = not data
        return data

    def complaint(self) -> str:
        """Return what is unread in its standard error."""
        return complaint_of(self.process)

    def memory_kills(self) -> int:
        """Return how many processes the kernel has killed for their memory; 0 without a group."""
        return self.tree.group.memory_kills() if self.tree.group else 0

    def kill(self) -> None:
        """Kill the tree, unless the box is closed."""
        if self.ending is None:
            self.tree.kill()

    def close(self) -> Ending:
        """End all processes, wait for them, and clean up. Raises SandboxError."""
        if self.ending is None:
            over = self.tree.is_over(PARTING_SECONDS if self.silent else 0)
            kills = self.memory_kills()
            self.tree.kill()
            gone = self.tree.reap()
            self.ending = _ending(self.tree.status() if over else -signal.SIGKILL, kills if over else 0)
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                if stream:
                    stream.close()
            if self.tree.group:
                self.tree.group.remove()
            if not gone:
                raise SandboxError(f"a box did not end within {KILL_SECONDS:g} seconds of its kill")
        return self.ending


def start(arguments: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process with non-blocking pipes, out of reach of the terminal's Ctrl-C. Raises OSError."""
    process = subprocess.Popen(  # noqa: S603 - a back end's own command, with nothing of the submission in it
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
        **options,
    )
    for stream in (process.stdin, process.stdout, process.stderr):
        os.set_blocking(_descriptor(stream), False)
    return process


def offer_to_the_kernel(process: int) -> None:
    """Have the kernel end this process, and those that it starts, before all others when memory runs out.

    A service in a container shares its memory with boxes, which may have no limit of their own.
    """
    with contextlib.suppress(OSError):  # on systems other than Linux
        Path(f"/proc/{process}/oom_score_adj").write_text(f"{MOST_EXPENDABLE}\n", encoding="ascii")


def complaint_of(process: subprocess.Popen[bytes]) -> str:
    """Return what is unread in the process's standard error."""
    return last_words(_descriptor(process.stderr))


def has_ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait up to this many seconds for the process; return whether it has ended."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _descriptor(stream: IO[bytes] | None) -> int:
    assert stream is not None  # noqa: S101 - all three were asked for
    return stream.fileno()


def _ending(status: int | None, kills: int) -> Ending:
    if status is None:
        return Ending(signal=signal.SIGKILL)
    if status < 0:
        return Ending(signal=-status, out_of_memory=kills > 0)
    return Ending(exit_status=status)


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
