"""bubblewrap: new namespaces, a root of its own, no capabilities, a system-call filter. No engine.

Theory of operation. A box's root is the copied Python of contents.py, read-only, with the contents bound into
it, /dev/null, and a small tmpfs as scratch; there is no /proc and nothing of the host. If the grader runs as
root, these files are in memory, and bubblewrap itself runs as a user of the box's own, whose id nobody else
has. bubblewrap waits (``--block-fd``) with starting Python until its process is in a control group, so that
every process of the box starts there. The runner is process 1 of the box (``--as-pid-1``), to which the
kernel delivers no signal from inside; the kill goes to it, and ends everything with it, including stopped and
traced processes. If the grader does not run as root, ``systemd-run --user --scope`` puts the box into a
control group with limits, whose counters the session's owner may read.

Pitfalls: ``--die-with-parent`` refers to the thread that started it (piped_box.py); bubblewrap's own
environment is readable in the box, so it must be empty; without a control group memory is limited only per
process, so such a box gets no scratch to fill.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import select
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from grader.errors import BoxTimeout, SandboxError
from grader.inside import guard
from grader.model import Limits
from grader.sandbox import base, cgroup
from grader.sandbox.base import OPEN_FILES, UNUSED_USERS, Box, Probe, probe_by_hello
from grader.sandbox.cgroup import count_kills
from grader.sandbox.contents import BOX, ENVIRONMENT, OWN_PID_NAMESPACE, SCRATCH, command, contents, runtime
from grader.sandbox.piped_box import (
    KILL_SECONDS,
    PipedBox,
    complaint_of,
    has_ended,
    in_spawner,
    offer_to_the_kernel,
    start,
    wait_for,
)

_NEEDED: Final = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
_WITH_POLICY: Final = 253
"""From this version of systemd on, a scope ends as a whole when one process runs out of memory, by default.
"""
_TRIAL: Final = """
cd "/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)" || exit
for file in memory.max pids.max cpu.max; do [ ! -r $file ] || echo $file $(cat $file); done
"""


class Scope:
    """The control group of a scope_command started in a scope."""

    def __init__(self, process: int) -> None:
        """Find the group of the process."""
        self._folder: Path | None = None
        with contextlib.suppress(OSError, IndexError):
            lines = Path(f"/proc/{process}/cgroup").read_text(encoding="utf-8").splitlines()
            own = next(line for line in lines if line.startswith("0::"))
            self._folder = Path("/sys/fs/cgroup", own[3:].lstrip("/"))

    def memory_kills(self) -> int:
        """Return how many processes the kernel has killed there for their memory."""
        return 0 if self._folder is None else count_kills(self._folder / "memory.events")

    def remove(self) -> None:
        """Do nothing: systemd removes the group when it is empty."""


def scope_command(limits: Limits, *, spare_processes: int) -> tuple[str, ...]:
    """Return the prefix for a scope_command that starts it in a scope and without an scope_environment."""
    return (*_scope(limits, spare_processes), "env", "-i")


def scope_environment() -> dict[str, str]:
    """Return the variables by which systemd-run finds the session."""
    return {name: os.environ[name] for name in (*_NEEDED, "PATH") if name in os.environ}


@lru_cache(maxsize=1)
def caps() -> frozenset[str]:
    """Return which controllers limit a scope, determined by trying; none for root, who has better means.

    If the session lacks a controller, systemd-run creates a scope without it and reports no error.
    """
    if os.geteuid() == 0 or shutil.which("systemd-run") is None or _NEEDED[0] not in os.environ:
        return frozenset()
    trial = [*_scope(Limits(), 0), "sh", "-c", _TRIAL]
    try:
        asked = subprocess.run(  # noqa: S603 - the scope_command of this module
            trial, capture_output=True, text=True, timeout=10, check=False, env=scope_environment()
        )
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    told = (line.partition(".max ") for line in asked.stdout.splitlines())
    return frozenset(controller for controller, _, value in told if not value.startswith("max"))


def _scope(limits: Limits, spare_processes: int) -> tuple[str, ...]:
    properties = (
        f"MemoryMax={limits.memory_bytes}",
        "MemorySwapMax=0",
        f"TasksMax={limits.processes + spare_processes}",
        "CPUQuota=100%",
        *(("OOMPolicy=continue",) if _version() >= _WITH_POLICY else ()),
    )
    words = [word for text in properties for word in ("-p", text)]
    return ("systemd-run", "--user", "--scope", "--quiet", "--collect", *words, "--")


@lru_cache(maxsize=1)
def _version() -> int:
    asked = subprocess.run(
        ["systemd-run", "--version"],  # noqa: S607 - wherever the system has it
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    found = re.match(r"systemd (\d+)", asked.stdout)
    return int(found[1]) if found else 0


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
    group: cgroup.Group | Scope | None = None
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
        os.set_blocking(self.report_end, False)
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.report_end, 4096):
                self.report += data
        for descriptor in (self.report_end, self.first):
            if descriptor is not None:
                os.close(descriptor)
        return gone

    def status(self) -> int | None:
        """Return how process 1 ended; bubblewrap reports a signal as 128 plus its number."""
        found = _EXIT.search(self.report)
        code = int(found[1]) if found else None
        return 128 - code if code is not None and code > 128 else code


_ADVICE: Final = (
    "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap), and allow user namespaces "
    "(sysctl user.max_user_namespaces; on Ubuntu 24.04 kernel.apparmor_restrict_unprivileged_userns=0)"
)
_SETTINGS: Final = "/proc/sys"
_SPARE_PROCESSES: Final = 1
"""For the runner, process 1 of the box, besides the submission's processes."""
_INSIDE_USER: Final = "1000"


class BubblewrapBackend:
    """Run runners in namespaces of their own."""

    name = "bubblewrap"
    isolation = (
        "Namespaces of its own, no files of the machine, no network, no privileges, "
        "a filter for system calls, limits for memory, processes and disk."
    )

    def probe(self) -> Probe:
        """Start a runner and wait for its hello."""
        return probe_by_hello(self, base.protections(self.name, _scope_caps()), advice=_ADVICE)

    def open(self, limits: Limits) -> Box:
        """Start a box. Raises SandboxError."""
        try:
            return _open(limits)
        except (OSError, BoxTimeout, subprocess.SubprocessError) as error:
            raise SandboxError(f"cannot start a box with bubblewrap: {error}") from error


def _open(limits: Limits) -> PipedBox:
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxError("bubblewrap is not installed: expected the program bwrap")
    status, status_end = os.pipe()
    gate_end, gate = os.pipe()
    inherited = [status_end, gate_end]  # by bubblewrap; closed here once it has started
    try:
        filter_end, ours = os.pipe()
        inherited.append(filter_end)
        os.write(ours, guard.filter_program() if guard.can_filter() else b"")  # it fits into a pipe
        os.close(ours)
        arguments = _arguments(program, limits, filter_end, status_end, gate_end)
        process = in_spawner(lambda: _start(arguments, inherited))
    except BaseException:
        os.close(status)
        os.close(gate)
        raise
    finally:
        for end in inherited:
            os.close(end)
    tree = NamespaceTree(process, status)
    box = PipedBox(process, tree)
    try:
        first = tree.follow()
        offer_to_the_kernel(first)
        tree.group = _group(limits, process.pid, first)
        os.write(gate, b"1")
    except BaseException:
        box.close()
        raise
    finally:
        os.close(gate)
    return box


def _start(arguments: list[str], descriptors: list[int]) -> subprocess.Popen[bytes]:
    """Start bubblewrap without an environment and, if possible, as a user who does not exist."""
    words, options = _as_nobody(arguments) if os.geteuid() == 0 else (arguments, {})
    environment = scope_environment() if _scope_caps() else {}
    return start(words, cwd="/", env=environment, pass_fds=descriptors, **options)


def _as_nobody(arguments: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Return the command for a user who does not exist, and the options of Popen.

    Python would change the user in a forked copy of the whole grader, which costs more than starting the box;
    the program ``setpriv`` needs no such copy.
    """
    user, program = secrets.choice(UNUSED_USERS), shutil.which("setpriv")
    if program is None:
        return arguments, {"user": user, "group": user, "extra_groups": []}
    return [program, f"--reuid={user}", f"--regid={user}", "--clear-groups", "--", *arguments], {}


def _arguments(program: str, limits: Limits, code: int, status: int, gate: int) -> list[str]:
    """Return the complete command line."""
    place, capped = runtime(), "memory" in cgroup.controllers() | _scope_caps()
    ceilings = {"CORE": 0, "NOFILE": OPEN_FILES, "NPROC": limits.processes + _SPARE_PROCESSES}
    rules = {"limits": ceilings, "forget": ["PWD"]}  # bubblewrap sets PWD with the folder
    scratch = ["--size", str(limits.disk_bytes), "--tmpfs", SCRATCH] if capped else []
    environment = [word for pair in ENVIRONMENT.items() for word in ("--setenv", *pair)]
    told = [OWN_PID_NAMESPACE, *([f"--scratch={SCRATCH}"] if capped else [])]
    return [
        *(scope_command(limits, spare_processes=_SPARE_PROCESSES + 1) if _scope_caps() else ()),
        program,
        *("--unshare-all", "--unshare-user", *_newer_options(program)),
        *("--uid", _INSIDE_USER, "--gid", _INSIDE_USER, "--cap-drop", "ALL", "--hostname", "box"),
        *("--new-session", "--die-with-parent", "--as-pid-1", "--clearenv", *environment),
        *("--ro-bind", str(place.root), "/", "--ro-bind", str(contents().folder), BOX),
        *("--dev-bind", "/dev/null", "/dev/null", *scratch, "--remount-ro", "/", "--chdir", SCRATCH),
        *(("--seccomp", str(code)) if guard.can_filter() else ()),
        *("--json-status-fd", str(status), "--block-fd", str(gate), "--"),
        *command(place.python, BOX, *told, rules=repr(rules)),
    ]


@lru_cache(maxsize=1)
def _newer_options(program: str) -> tuple[str, ...]:
    """Return options that only bubblewrap 0.8 and later has; the system-call filter forbids the same.

    It disables namespaces by a setting of the kernel, which nobody can write in most containers.
    """
    if os.statvfs(_SETTINGS).f_flag & os.ST_RDONLY:
        return ()
    asked = subprocess.run(  # noqa: S603 - the program that was found on the path
        [program, "--help"], capture_output=True, text=True, timeout=10, check=False
    )
    return ("--disable-userns",) if "--disable-userns" in asked.stdout else ()


def _scope_caps() -> frozenset[str]:
    """Return the controllers that a systemd scope caps; empty if the grader can create groups itself."""
    return frozenset() if cgroup.trees() else caps()


def _group(limits: Limits, outer: int, first: int) -> cgroup.Group | Scope | None:
    """Put the box's first process into a group that counts its memory and processes."""
    trees = cgroup.trees()
    if trees is None:
        return Scope(outer) if _scope_caps() else None
    group = cgroup.Group(trees, limits, spare_processes=_SPARE_PROCESSES)
    try:
        group.add(first)
    except OSError:
        group.remove()
        raise
    return group
