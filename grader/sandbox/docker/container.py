"""One attached container: bytes in, bytes out, and how it ended."""

from __future__ import annotations

import contextlib
import socket
import threading
from dataclasses import dataclass, field
from typing import Any, Final

import docker

from grader.sandbox.base import PARTING_SECONDS, Ending
from grader.sandbox.docker import leftovers
from grader.sandbox.docker.engine import FAILURES
from grader.sandbox.docker.frames import Frames
from grader.sandbox.docker.oom import MemoryCounter
from grader.sandbox.pipes import read_some, write_all

_IDLE_SECONDS: Final = 0.3
"""How long an idle runner may take to exit; killing it takes the engine longer."""


@dataclass(slots=True)
class DockerBox:
    """One attached container."""

    client: docker.APIClient
    container: str
    stream: Any
    """The attach socket, and the response that keeps it open."""
    counter: MemoryCounter | None = None
    silent: bool = False
    """Whether its output has ended, so that it is about to exit."""
    ending: Ending | None = None
    frames: Frames = field(default_factory=Frames)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, data: bytes, *, deadline: float) -> None:
        """Send all bytes."""
        try:
            write_all(self._descriptor(), data, deadline)
        except ConnectionResetError as error:
            raise BrokenPipeError(str(error)) from error

    def read(self, *, deadline: float) -> bytes:
        """Return the next bytes of standard output; other streams are discarded."""
        while True:
            try:
                data = read_some(self._descriptor(), deadline)
            except ConnectionResetError:
                data = b""
            if not data:
                self.silent = True
                return b""
            if output := self.frames.output(data):
                return output

    def complaint(self) -> str:
        """Return the end of its standard error."""
        return self.frames.complaint.decode("utf-8", "replace").strip()

    def memory_kills(self) -> int:
        """Return how many of its processes the kernel has killed for their memory."""
        return self.counter.kills() if self.counter else 0

    def kill(self) -> None:
        """Close the socket, then kill the container."""
        with self._lock:
            if self.ending is None:
                self._hang_up()
                with contextlib.suppress(*FAILURES):
                    self.client.kill(self.container)

    def close(self) -> Ending:
        """End and remove the container. Raises SandboxError if the engine fails to."""
        with self._lock:
            if self.ending is None:
                kills = self.memory_kills()
                self._hang_up()
                seconds = PARTING_SECONDS if self.silent else _IDLE_SECONDS
                code = _wait_for_exit(self.client, self.container, seconds)
                self.ending = _ending(self.client, self.container, code, kills)
                leftovers.remove(self.client, self.container)
        return self.ending

    def _hang_up(self) -> None:
        if self.stream is not None:
            stream, self.stream = self.stream, None
            _close(stream)

    def _descriptor(self) -> int:
        if self.stream is None:
            raise BrokenPipeError("the box was ended")
        return int(self.stream[0].fileno())


def _close(stream: Any) -> None:
    inner, outer = stream
    with contextlib.suppress(OSError):
        inner.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        outer.close()
    inner.close()


def _wait_for_exit(client: docker.APIClient, container: str, seconds: float) -> int | None:
    """Return the exit status of a container; None if it does not exit within these seconds."""
    with contextlib.suppress(*FAILURES):
        waited = client.wait(container, timeout=seconds)  # type: ignore[arg-type]  # parts of one, too
        return int(waited["StatusCode"])
    return None


def _ending(client: docker.APIClient, container: str, code: int | None, kills: int) -> Ending:
    """Return how the container ended, if it did before it was killed; a status above 128 means a signal.

    If the container or its engine has disappeared, the submission is not to blame.
    """
    if code is not None and code <= 128:
        return Ending(exit_status=code)
    try:
        state = client.inspect_container(container)["State"]
        status = int(state["ExitCode"])
    except FAILURES:
        return Ending(taken_away=True)
    if state.get("Running"):
        return Ending(signal=9)
    if status > 128:
        return Ending(signal=status - 128, out_of_memory=kills > 0 or bool(state.get("OOMKilled")))
    return Ending(exit_status=status)
