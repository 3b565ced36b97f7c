"""Docker: a container per submission, used once, with a runner that waits on its attach socket.

Theory of operation. A container gets nothing that it could use: no network, no capabilities, a read-only
root, a user id nobody else has, limits on memory, processes, files and CPU. The runner is process 1: the
kernel delivers no signal to it from inside, it has made itself unreadable, and the filter that it adds to
Docker's own (given a filter, an engine would drop its own) covers every process of the container. Counters of
the whole machine are masked. The grader attaches before it starts the container, so no byte is lost, and
speaks over the attach socket in frames (``container.py``).

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
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import docker
from docker.errors import ImageNotFound
from docker.types import LogConfig, Ulimit

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox import promises
from grader.sandbox.base import OPEN_FILES, UNUSED_USERS, Box, Probe, Protection
from grader.sandbox.contents import BOX, ENVIRONMENT, OWN_PID_NAMESPACE, SCRATCH, command
from grader.sandbox.docker import engine
from grader.sandbox.docker.container import DockerBox, MemoryCounter
from grader.sandbox.docker.engine import ADVICE, FAILURES, connect, current_client, dropped_limits
from grader.sandbox.docker.image import find_or_build
from grader.sandbox.promises import probe_by_hello

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
        return found if found.works else replace(found, passing=not _answers())

    def _protections(self) -> tuple[Protection, ...]:
        dropped = dropped_limits(current_client())
        return tuple(
            replace(each, works=False, advice=dropped[each.name]) if each.name in dropped else each
            for each in promises.protections(self.name)
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


def _answers() -> bool:
    with contextlib.suppress(SandboxError):
        connect()
        return True
    return False


def _open(client: docker.APIClient, base: str | None, limits: Limits) -> DockerBox:
    """Create, attach and start, in this order, to lose no output. Raises the docker package's errors."""
    engine.sweep_once(client)
    container = str(_create(client, _image(base, os.getpid()), limits)["Id"])
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
        labels=engine.labels(),
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


def _attach(client: docker.APIClient, container: str) -> Any:
    """Return the socket and the response that owns it. Raises OSError."""
    wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
    stream = client.attach_socket(container, params=wanted)
    inner = getattr(stream, "_sock", stream)
    if type(inner) is not socket.socket:
        raise OSError("expected an engine on a Unix socket or plain TCP, got another kind of connection")
    inner.setblocking(False)
    return inner, stream


@lru_cache(maxsize=4)
def _image(base: str | None, _process: int) -> str:
    """Return the image's id, looked up once for each process."""
    return find_or_build(base).id
