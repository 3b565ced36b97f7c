"""A box and the lines that go in and come out of it."""

from __future__ import annotations

from base64 import b64encode
from time import monotonic
from typing import Final

from grader.errors import ProtocolError, SandboxError
from grader.model import Leftovers, Limits, Submission
from grader.sandbox.base import Box
from grader.session.wire import PROTOCOL, WireError, decode, encode

START_SECONDS: Final = 60.0
"""What a runner may take to say hello and to load the files."""
_OVERHEAD_BYTES: Final = 256 * 1024
"""A reply may take 256 KiB more than its value and its output."""


class Connection:
    """One box, spoken to in messages."""

    def __init__(self, box: Box, limits: Limits) -> None:
        self.box, self._limits = box, limits
        self._cap = limits.reply_bytes + 6 * limits.output_bytes + _OVERHEAD_BYTES
        self._buffer = bytearray()
        self._memory_kills = 0
        self.out_of_memory = False

    def start(self, submission: Submission, leftovers: Leftovers = "told") -> None:
        """Say hello and hand the files over. Raises what ``next`` raises."""
        deadline = monotonic() + START_SECONDS
        names = (
            "memory_bytes",
            "processes",
            "output_bytes",
            "reply_bytes",
            "disk_bytes",
        )
        limits = {name: getattr(self._limits, name) for name in names}
        self.send({"type": "hello", "protocol": PROTOCOL, "limits": limits}, deadline=deadline)
        expect_head(self.next(deadline=deadline), {"type": "hello", "protocol": PROTOCOL})
        files = {path: b64encode(content).decode("ascii") for path, content in submission.files.items()}
        self.send({"type": "load", "files": files, "leftovers": leftovers}, deadline=deadline)
        expect_head(self.next(deadline=deadline), {"type": "loaded", "files": len(files)})

    def send(self, message: dict[str, object], *, deadline: float) -> None:
        """Send a message; the runner reads it whole before it answers, so neither side waits."""
        self.send_line(encode(message), deadline=deadline)

    def send_line(self, line: bytes, *, deadline: float) -> None:
        """Send a message that is a line already."""
        self.box.write(line, deadline=deadline)

    def next(self, *, deadline: float) -> dict[str, object]:
        """Return the next message. Raises ProtocolError, BoxTimeout, or EOFError at the end."""
        return self.read(self.next_line(deadline=deadline))

    def next_line(self, *, deadline: float) -> bytes:
        """Return the bytes of the next message, without their line end. Raises what ``next`` raises."""
        looked_at = 0
        while (line := self.line_at_hand(looked_at)) is None:
            looked_at = len(self._buffer)
            if looked_at > self._cap:
                raise ProtocolError(f"a reply is longer than {self._cap} bytes")
            data = self.box.read(deadline=deadline)
            if not data:
                raise EOFError("the runner has ended")
            self._buffer += data
        return line

    def line_at_hand(self, looked_at: int = 0) -> bytes | None:
        """Return the bytes of the next message, without their line end; None where it has not come yet."""
        end = self._buffer.find(b"\n", looked_at)
        if end < 0:
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def read(self, line: bytes) -> dict[str, object]:
        """Read a message. Raises ProtocolError."""
        try:
            return decode(line, cap=self._cap)
        except WireError as error:
            raise ProtocolError(f"a reply is no message: {error}") from None

    def ran_out_of_memory(self) -> bool:
        """Tell whether the kernel has ended a process of the box for its memory since last asked."""
        before, self._memory_kills = self._memory_kills, self.box.memory_kills()
        return self._memory_kills > before

    def end(self) -> None:
        """End the box, and note whether it was ended by its memory.

        Raises SandboxError where somebody else had taken it away.
        """
        rose = self.ran_out_of_memory()
        ending = self.box.close()
        if ending.taken_away:
            raise SandboxError(
                "a box was taken away while it was used, by somebody or by a fault of the machine"
            )
        self.out_of_memory = ending.out_of_memory or rose


def expect_head(message: dict[str, object], head: dict[str, object]) -> None:
    """Check what every message of its type begins with. Raises ProtocolError."""
    for key, expected in head.items():
        got = message.get(key)
        if type(got) is not type(expected) or got != expected:
            raise ProtocolError(f"expected {key} {expected!r}, got {str(got)[:80]!r}")
