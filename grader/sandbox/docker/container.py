"""One attached container: bytes in, bytes out, and how it ended."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import docker

from grader.sandbox.base import PARTING_SECONDS, Ending
from grader.sandbox.cgroup import count_kills
from grader.sandbox.docker import engine
from grader.sandbox.docker.engine import FAILURES
from grader.sandbox.piped_box import read_some, write_all

# --- frames -----------------------------------------------------------------------------------------
# Parse the frames of a container's attach socket, which carries several streams.


@dataclass(slots=True)
class Frames:
    """Parse the engine's frames: a stream's number, three zeros, a length, and that many bytes."""

    left: int = 0
    wanted: bool = False
    header: bytes = b""
    complaint: bytes = b""

    def output(self, data: bytes) -> bytes:
        """Return the part of the data that is standard output."""
        found = []
        rest = memoryview(data)
        while rest:
            if self.left:
                piece, rest = bytes(rest[: self.left]), rest[self.left :]
                self.left -= len(piece)
                if self.wanted:
                    found.append(piece)
                else:
                    self.complaint = (self.complaint + piece)[-4096:]
            else:
                missing = 8 - len(self.header)
                self.header, rest = self.header + bytes(rest[:missing]), rest[missing:]
                if len(self.header) == 8:
                    self.wanted = self.header[0] == 1
                    self.left = int.from_bytes(self.header[4:], "big")
                    self.header = b""
        return b"".join(found)


# --- oom --------------------------------------------------------------------------------------------
# Count the processes of a container that the kernel has killed for their memory.
#
# If the engine runs on this machine, the kernel's counter in the container's control group is read; otherwise
# the engine's events, which arrive with a short delay.


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
                engine.remove(self.client, self.container)
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
