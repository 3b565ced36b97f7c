"""Read from and write to the pipes of a process, with deadlines."""

from __future__ import annotations

import contextlib
import os
import select
import time
from typing import Final

from grader.errors import BoxTimeout

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
