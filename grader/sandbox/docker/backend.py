"""Docker: a container a submission, used once, with a runner that waits on its attach socket.

Theory of operation. A container is created with nothing it could use: no network, no capabilities,
a read-only root, a user nobody else has, capped memory, processes, files and CPU; the runner adds a
system-call filter to Docker's own. The grader attaches before it starts the container, so no byte
is lost, and speaks over the attach socket in frames (``_Frames``).

What bites: a container that floods a socket which nobody reads hangs kill, wait and remove, so the
socket is closed before any of them; every answer of the engine is waited for with a time-out; exit
status 137 and "OOMKilled" prove nothing, so memory is judged by the kernel's own counter. Containers
carry a label that names their grader: those of graders that are no more are removed at the start,
and one's own at the end.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import socket
import threading
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import docker
from docker.errors import APIError, DockerException, NotFound
from docker.types import LogConfig, Ulimit

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox import promises
from grader.sandbox.base import Box, Ending, Probe
from grader.sandbox.contents import ENVIRONMENT, OWN_PID_NAMESPACE, command
from grader.sandbox.docker import leftovers
from grader.sandbox.docker.engine import ADVICE, connect
from grader.sandbox.docker.image import find_or_build
from grader.sandbox.docker.oom import MemoryCounter
from grader.sandbox.pipes import read_some, write_all
from grader.sandbox.runtime import BOX
from grader.sandbox.self_test import trial

_PYTHON: Final = "/python"
"""A link in the image, to whatever Python its base has."""
_SPARE: Final = 2
"""Docker's own process 1 in the box, and the runner."""
_OPEN_FILES: Final = 256
_INODES: Final = 1024
_PARTING_SECONDS: Final = 1
"""What a runner gets to end by itself once its output has ended."""
_ONE_CPU: Final = 1_000_000_000
_STRANGERS: Final = range(2_000_000_000, 2_100_000_000)
"""User numbers that nobody has."""


class DockerBackend:
    """Runners in single-use containers."""

    name = "docker"
    isolation = (
        "A container of its own, no files of the machine, no network, no privileges, "
        "a filter for system calls, limits for memory, processes, CPU and disk."
    )

    def __init__(self, base: str | None = None) -> None:
        self._base = base

    def probe(self) -> Probe:
        """Start a container and get its runner's hello."""
        return trial(self, promises.protections(self.name), advice=ADVICE)

    def open(self, limits: Limits) -> Box:
        """Start a container. Raises SandboxError."""
        client = connect()
        leftovers.sweep_once(client)
        image = _image(self._base, os.getpid())
        try:
            return _open(client, image, limits)
        except (DockerException, OSError) as error:
            raise SandboxError(f"cannot start a container: {error}") from error


@dataclass(slots=True)
class DockerBox:
    """One container, attached to."""

    client: docker.APIClient
    container: str
    stream: Any
    """The attach socket, and what keeps it open."""
    counter: MemoryCounter | None = None
    silent: bool = False
    """Whether its output came to its end: then it is about to end by itself."""
    ending: Ending | None = None
    frames: _Frames = field(default_factory=lambda: _Frames())
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, data: bytes, *, deadline: float) -> None:
        """Send all the bytes."""
        try:
            write_all(self._descriptor(), data, deadline)
        except ConnectionResetError as error:
            raise BrokenPipeError(str(error)) from error

    def read(self, *, deadline: float) -> bytes:
        """Return the next bytes of standard output; other streams are thrown away."""
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
        """Return the last of what was written to standard error."""
        return self.frames.complaint.decode("utf-8", "replace").strip()

    def memory_kills(self) -> int:
        """How many processes the kernel has killed in the container for their memory."""
        return self.counter.kills() if self.counter else 0

    def kill(self) -> None:
        """Let go of the socket, then end the container."""
        with self._lock:
            if self.ending is None:
                self._hang_up()
                with contextlib.suppress(DockerException, OSError):
                    self.client.kill(self.container)

    def close(self) -> Ending:
        """End the container and remove it. Raises SandboxError where the engine does not manage."""
        with self._lock:
            if self.ending is None:
                kills = self.memory_kills()
                self._hang_up()
                if self.silent:
                    _wait(self.client, self.container)
                self.ending = _ending(self.client, self.container, kills)
                _open_boxes.discard(self.container)
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


@dataclass(slots=True)
class _Frames:
    """Takes the engine's frames apart: a stream's number, three zeros, a length, so many bytes."""

    left: int = 0
    wanted: bool = False
    header: bytes = b""
    complaint: bytes = b""

    def output(self, data: bytes) -> bytes:
        """Return what of the data is standard output."""
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


_open_boxes: Final[set[str]] = set()


def _open(client: docker.APIClient, image: str, limits: Limits) -> DockerBox:
    """Create, attach, start: in this order, so that nothing is lost. Raises what the package raises."""
    container = str(_create(client, image, limits)["Id"])
    _open_boxes.add(container)
    box = DockerBox(client, container, None)
    try:
        box.stream = _attach(client, container)
        client.start(container)
        box.counter = MemoryCounter(client, container)
    except BaseException:
        with contextlib.suppress(SandboxError):
            box.close()
        raise
    return box


def _create(client: docker.APIClient, image: str, limits: Limits) -> dict[str, Any]:
    user = secrets.choice(_STRANGERS)
    scratch = f"rw,noexec,nosuid,nodev,size={limits.disk_bytes},nr_inodes={_INODES},mode=1777"
    created: dict[str, Any] = client.create_container(
        image,
        command=_command(),
        entrypoint=[],
        user=f"{user}:{user}",
        hostname="box",
        working_dir="/tmp",
        stdin_open=True,
        tty=False,
        network_disabled=True,
        use_config_proxy=False,
        labels=leftovers.labels(),
        host_config=client.create_host_config(
            network_mode="none",
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            ipc_mode="none",
            init=True,
            pids_limit=limits.processes + _SPARE,
            mem_limit=limits.memory_bytes,
            memswap_limit=limits.memory_bytes,
            nano_cpus=_ONE_CPU,
            tmpfs={"/tmp": scratch},
            ulimits=[
                Ulimit(name="core", soft=0, hard=0),
                Ulimit(name="nofile", soft=_OPEN_FILES, hard=_OPEN_FILES),
                Ulimit(name="fsize", soft=limits.disk_bytes, hard=limits.disk_bytes),
            ],
            log_config=LogConfig(type=LogConfig.types.NONE, config={}),
        ),
    )
    return created


def _command() -> list[str]:
    """Through env, since a container also inherits the environment of its image."""
    environment = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
    rules = repr({"no_new_privileges": True, "filter": True})
    return [
        "env",
        "-i",
        *environment,
        *command(_PYTHON, BOX, OWN_PID_NAMESPACE, "--scratch=/tmp", rules=rules),
    ]


def _attach(client: docker.APIClient, container: str) -> Any:
    """Return the socket and the response that owns it. Raises OSError."""
    wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
    stream = client.attach_socket(container, params=wanted)
    inner = getattr(stream, "_sock", stream)
    if type(inner) is not socket.socket:
        raise OSError("expected an engine on a Unix socket or plain TCP, got another kind of connection")
    inner.setblocking(False)
    return inner, stream


def _close(stream: Any) -> None:
    inner, outer = stream
    with contextlib.suppress(OSError):
        inner.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        outer.close()
    inner.close()


def _wait(client: docker.APIClient, container: str) -> None:
    with contextlib.suppress(DockerException, OSError):
        client.wait(container, timeout=_PARTING_SECONDS)


def _ending(client: docker.APIClient, container: str, kills: int) -> Ending:
    """Ask how the container ended, if it had by itself; a number above 128 is a signal's."""
    try:
        state = client.inspect_container(container)["State"]
    except (DockerException, OSError):
        return Ending()
    if state.get("Running"):
        return Ending(signal=9)
    code = int(state["ExitCode"])
    if code > 128:
        return Ending(signal=code - 128, out_of_memory=kills > 0 or bool(state.get("OOMKilled")))
    return Ending(exit_status=code)


@lru_cache(maxsize=4)
def _image(base: str | None, process: int) -> str:
    """The image's id, looked up once."""
    return find_or_build(base).id


@atexit.register
def _remove_own() -> None:
    """Remove the containers that nobody has closed."""
    for container in list(_open_boxes):
        with contextlib.suppress(SandboxError, APIError, NotFound):
            leftovers.remove(connect(), container)
