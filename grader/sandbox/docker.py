"""Docker: a container per submission, used once, with a runner that waits on its attach socket.

Theory of operation. A container gets nothing that it could use: no network, no capabilities, a read-only
root, a user id nobody else has, limits on memory, processes, files and CPU. The runner is process 1: the
kernel delivers no signal to it from inside, it has made itself unreadable, and the filter that it adds to
Docker's own (given a filter, an engine would drop its own) covers every process of the container. Counters of
the whole machine are masked. The grader attaches before it starts the container, so no byte is lost, and
speaks over the attach socket in frames.

Pitfalls: a container that floods a socket which nobody reads hangs kill, wait and remove, so the socket is
closed first; every answer of the engine has a time-out; exit status 137 and "OOMKilled" prove nothing, so
memory is judged by the kernel's own counter. Containers carry a label that names their grader: those of dead
graders are removed at the start, and one's own at the end.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
import time
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import docker
from docker.errors import ImageNotFound
from docker.types import LogConfig, Ulimit

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox import base, docker_engine
from grader.sandbox.base import (
    OPEN_FILES,
    PARTING_SECONDS,
    UNUSED_USERS,
    Box,
    Ending,
    Probe,
    Protection,
    probe_by_hello,
)
from grader.sandbox.cgroup import count_kills
from grader.sandbox.contents import BOX, ENVIRONMENT, OWN_PID_NAMESPACE, SCRATCH, command
from grader.sandbox.docker_engine import (
    ADVICE,
    FAILURES,
    connect,
    current_client,
    dropped_limits,
    find_or_build,
)
from grader.sandbox.piped_box import MOST_EXPENDABLE, read_some, write_all


@dataclass(slots=True)
class Frames:
    """Parse the frames of a container's streams: a number, three zeros, a length, and that many bytes."""

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
        if self._file is not None:
            return count_kills(self._file)
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
                code = None
                with contextlib.suppress(*FAILURES):
                    waited = self.client.wait(
                        self.container,
                        timeout=seconds,  # type: ignore[arg-type]  # parts of one, too
                    )
                    code = int(waited["StatusCode"])
                self.ending = _ending(self.client, self.container, code, kills)
                docker_engine.remove(self.client, self.container)
        return self.ending

    def _hang_up(self) -> None:
        if self.stream is not None:
            stream, self.stream = self.stream, None
            inner, outer = stream
            with contextlib.suppress(OSError):
                inner.shutdown(socket.SHUT_RDWR)
            with contextlib.suppress(OSError):
                outer.close()
            inner.close()

    def _descriptor(self) -> int:
        if self.stream is None:
            raise BrokenPipeError("the box was ended")
        return int(self.stream[0].fileno())


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


_PYTHON: Final = "/python"
"""A link in the image to its base's Python."""
_SPARE_PROCESSES: Final = 1
"""For the runner, process 1 of the box, besides the submission's processes."""
_INODES: Final = 1024
"""The most files and folders in the scratch folder."""
_ONE_CPU: Final = 1_000_000_000
"""One processor, in billionths of a processor."""
_MASKED: Final = (
    *("/sys", "/proc/acpi", "/proc/asound", "/proc/scsi", "/proc/keys", "/proc/timer_list", "/proc/cgroups"),
    *("/proc/stat", "/proc/loadavg", "/proc/meminfo", "/proc/vmstat", "/proc/zoneinfo", "/proc/buddyinfo"),
    *("/proc/pagetypeinfo", "/proc/slabinfo", "/proc/vmallocinfo", "/proc/schedstat", "/proc/softirqs"),
    *("/proc/interrupts", "/proc/latency_stats", "/proc/timer_stats", "/proc/diskstats", "/proc/pressure"),
    *("/proc/locks", "/proc/swaps", "/proc/key-users", "/proc/kcore", "/proc/kpagecount", "/proc/kpageflags"),
    *("/proc/kpagecgroup", "/proc/kallsyms", "/proc/modules", "/proc/config.gz", "/proc/uptime"),
    *("/proc/mdstat", "/proc/sysvipc", "/proc/sys", "/proc/fs", "/proc/bus", "/proc/irq", "/proc/driver"),
    *("/proc/sched_debug", "/proc/cpuinfo", "/proc/partitions", "/proc/crypto", "/proc/consoles"),
    *("/proc/tty", "/proc/allocinfo", "/proc/devices", "/proc/misc", "/proc/iomem", "/proc/ioports"),
)
"""Paths that reveal the state of the whole machine, other boxes included; contains Docker's own list."""


class DockerBackend:
    """Run runners in single-use containers."""

    name = "docker"
    isolation = (
        "A container of its own, no files of the machine, no network, no privileges, "
        "a filter for system calls, limits for memory, processes, CPU and disk."
    )

    def __init__(self, base: str | None = None) -> None:
        self._base = base

    def probe(self) -> Probe:
        """Start a container and wait for its runner's hello."""
        try:
            connect()
        except SandboxError as error:
            return Probe(self.name, False, str(error), ADVICE)
        advice = "mend what the engine says (journalctl -u docker tells more)"
        try:
            found = probe_by_hello(self, self._protections(), advice=advice)
        except FAILURES as error:
            found = Probe(self.name, False, f"the engine does not say which limits it keeps: {error}", advice)
        if found.works:
            return found
        with contextlib.suppress(SandboxError):
            connect()
            return replace(found, passing=False)
        return replace(found, passing=True)

    def _protections(self) -> tuple[Protection, ...]:
        dropped = dropped_limits(current_client())
        return tuple(
            replace(each, works=False, advice=dropped[each.name]) if each.name in dropped else each
            for each in base.protections(self.name)
        )

    def open(self, limits: Limits) -> Box:
        """Start a container. Raises SandboxError."""
        try:
            with contextlib.suppress(ImageNotFound):  # somebody has removed it: build it again
                return _open(current_client(), self._base, limits)
            _image.cache_clear()
            return _open(current_client(), self._base, limits)
        except FAILURES as error:
            connect()  # reports it if no engine answers any more
            raise SandboxError(f"cannot start a container: {error}") from error


def _open(client: docker.APIClient, base: str | None, limits: Limits) -> DockerBox:
    """Create, attach and start, in this order, to lose no output. Raises the docker package's errors."""
    docker_engine.sweep_once(client)
    container = str(_create(client, _image(base, os.getpid()), limits)["Id"])
    box = DockerBox(client, container, None)
    try:
        wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        stream = client.attach_socket(container, params=wanted)
        inner = getattr(stream, "_sock", stream)
        if type(inner) is not socket.socket:
            raise OSError("expected an engine on a Unix socket or plain TCP, got another kind of connection")
        inner.setblocking(False)
        box.stream = inner, stream
        client.start(container)
        box.counter = MemoryCounter(client, container)
    except BaseException:
        with contextlib.suppress(SandboxError):
            box.close()
        raise
    return box


def _create(client: docker.APIClient, image: str, limits: Limits) -> dict[str, Any]:
    user = secrets.choice(UNUSED_USERS)
    scratch = f"rw,noexec,nosuid,nodev,size={limits.disk_bytes},nr_inodes={_INODES},mode=1777"
    host_config = client.create_host_config(
        network_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges:true"],
        ipc_mode="none",
        init=False,
        pids_limit=limits.processes + _SPARE_PROCESSES,
        mem_limit=limits.memory_bytes,
        memswap_limit=limits.memory_bytes,
        oom_score_adj=MOST_EXPENDABLE,
        nano_cpus=_ONE_CPU,
        tmpfs={SCRATCH: scratch},
        ulimits=[
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="nofile", soft=OPEN_FILES, hard=OPEN_FILES),
            Ulimit(name="fsize", soft=limits.disk_bytes, hard=limits.disk_bytes),
        ],
        log_config=LogConfig(type=LogConfig.types.NONE, config={}),
    )
    created: dict[str, Any] = client.create_container(
        image,
        command=_command(),
        entrypoint=[],
        user=f"{user}:{user}",
        hostname="box",
        working_dir=SCRATCH,
        stdin_open=True,
        tty=False,
        network_disabled=True,
        use_config_proxy=False,
        labels=docker_engine.labels(),
        host_config=host_config | {"MaskedPaths": list(_MASKED)},
    )
    return created


def _command() -> list[str]:
    """Return the command, run by ``env -i``, since a container inherits the environment of its image."""
    environment = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
    devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]
    hide = {"names": ["proc", "sys", "dev"], "read": devices, "write": [SCRATCH, "/dev/null"]}
    rules = repr({"no_new_privileges": True, "hide": hide, "filter": True})
    return [
        "env",
        "-i",
        *environment,
        *command(_PYTHON, BOX, OWN_PID_NAMESPACE, f"--scratch={SCRATCH}", rules=rules),
    ]


@lru_cache(maxsize=4)
def _image(base: str | None, _process: int) -> str:
    """Return the image's id, looked up once for each process."""
    return find_or_build(base).id
