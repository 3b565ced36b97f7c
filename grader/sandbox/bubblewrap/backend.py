"""bubblewrap: new namespaces, a root of its own, no capabilities, a system-call filter. No engine.

Theory of operation. A box's root is the copied Python of runtime.py, read-only, with the contents
of contents.py bound into it, /dev/null, and a small tmpfs as scratch; there is no /proc and nothing
of the host. Where the grader is root, bubblewrap itself runs as a user of the box's own, with a
number nobody has. bubblewrap stops before it starts Python (``--block-fd``) until its process is in
a control group, so that every process of the box is born there. The kill goes to process 1 of the
box, which takes everything with it, stopped and traced processes too.

What bites: ``--die-with-parent`` means the thread that started it (spawner.py); bubblewrap's own
environment stays readable in the box unless it is empty; without a control group memory is limited
a process only, so there is no scratch to fill then.
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
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from grader.errors import BoxTimeout, SandboxError
from grader.inside import seccomp
from grader.model import Limits
from grader.sandbox import cgroup, promises
from grader.sandbox.base import Box, Ending, Probe
from grader.sandbox.bubblewrap import scope
from grader.sandbox.contents import ENVIRONMENT, OWN_PID_NAMESPACE, command, contents
from grader.sandbox.pipes import leftovers, read_some, wait_for, write_all
from grader.sandbox.runtime import BOX, runtime
from grader.sandbox.self_test import trial
from grader.sandbox.spawner import in_spawner

_ADVICE: Final = (
    "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap), and allow user namespaces "
    "(sysctl user.max_user_namespaces; on Ubuntu 24.04 kernel.apparmor_restrict_unprivileged_userns=0)"
)
_START_SECONDS: Final = 10.0
_KILL_SECONDS: Final = 5.0
_PARTING_SECONDS: Final = 1.0
"""What a runner gets to end by itself once its output has ended."""
_OPEN_FILES: Final = 256
_SPARE: Final = 2
"""bubblewrap's own process in the box, and the runner."""
_INSIDE_USER: Final = "1000"
_STRANGERS: Final = range(2_000_000_000, 2_100_000_000)
"""User numbers that nobody has: above those of containers, below those that are special."""
_CHILD: Final = re.compile(rb'"child-pid"\s*:\s*(\d+)')
_EXIT: Final = re.compile(rb'"exit-code"\s*:\s*(\d+)')


class BubblewrapBackend:
    """Runners in namespaces of their own."""

    name = "bubblewrap"
    isolation = (
        "Namespaces of its own, no files of the machine, no network, no privileges, "
        "a filter for system calls, limits for memory, processes and disk."
    )

    def probe(self) -> Probe:
        """Start a runner and get its hello."""
        extra = frozenset({"cgroup"} if scope.works() else ())
        return trial(self, promises.protections(self.name, extra), advice=_ADVICE)

    def open(self, limits: Limits) -> Box:
        """Start a box. Raises SandboxError."""
        try:
            return _open(limits)
        except (OSError, BoxTimeout) as error:
            raise SandboxError(f"cannot start a box with bubblewrap: {error}") from error


@dataclass(slots=True)
class BubblewrapBox:
    """One box: bubblewrap outside, its process 1 inside, and the pipes between."""

    process: subprocess.Popen[bytes]
    status: int
    """Where bubblewrap reports."""
    group: cgroup.Group | scope.Scope | None
    report: bytes = b""
    first: int | None = None
    """A descriptor of process 1 of the box."""
    silent: bool = False
    """Whether its output came to its end: then it is about to end by itself."""
    ending: Ending | None = None

    def write(self, data: bytes, *, deadline: float) -> None:
        """Send all the bytes."""
        write_all(self._descriptor("stdin"), data, deadline)

    def read(self, *, deadline: float) -> bytes:
        """Return the next bytes."""
        data = read_some(self._descriptor("stdout"), deadline)
        self.silent = not data
        return data

    def complaint(self) -> str:
        """Return what was written to standard error and is still there."""
        return leftovers(self._descriptor("stderr"))

    def memory_kills(self) -> int:
        """How many processes the kernel has killed for their memory, where there is a group."""
        return self.group.memory_kills() if self.group else 0

    def kill(self) -> None:
        """End process 1 of the box, and with it the kernel ends all others."""
        if self.ending:
            return
        if self.first is None:
            self.process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.first, signal.SIGKILL)

    def close(self) -> Ending:
        """End everything, wait until the kernel has, and clean up. Raises SandboxError."""
        if self.ending is None:
            over = self._is_over(_PARTING_SECONDS if self.silent else 0)
            kills = self.memory_kills()
            self.kill()
            gone = self._wait_for_the_end()
            self._read_report()
            self.ending = _ending(self.report if over else b"", kills)
            self._clean_up()
            if not gone:
                raise SandboxError(f"a box did not end within {_KILL_SECONDS:g} seconds of its kill")
        return self.ending

    def follow(self) -> int:
        """Wait for bubblewrap to tell which process is the first of the box. Raises OSError."""
        deadline = time.monotonic() + _START_SECONDS
        while not (found := _CHILD.search(self.report)) or b"\n" not in self.report:
            wait_for(self.status, select.POLLIN, deadline, "was not set up")
            data = os.read(self.status, 4096)
            if not data:
                raise OSError(self.complaint() or "bubblewrap ended without a word")
            self.report += data
        pid = int(found[1])
        self.first = os.pidfd_open(pid)
        return pid

    def _is_over(self, seconds: float) -> bool:
        with contextlib.suppress(BoxTimeout):
            if self.first is not None:
                wait_for(self.first, select.POLLIN, time.monotonic() + seconds, "did not end")
                return True
        return False

    def _wait_for_the_end(self) -> bool:
        """When process 1 has ended, nothing is left of its namespace."""
        with contextlib.suppress(BoxTimeout, subprocess.TimeoutExpired):
            if self.first is not None:
                wait_for(self.first, select.POLLIN, time.monotonic() + _KILL_SECONDS, "did not end")
            self.process.wait(_KILL_SECONDS)
            return True
        self.process.kill()
        return False

    def _read_report(self) -> None:
        os.set_blocking(self.status, False)
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.status, 4096):
                self.report += data

    def _clean_up(self) -> None:
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        for descriptor in (self.status, self.first):
            if descriptor is not None:
                os.close(descriptor)
        if self.group:
            self.group.remove()

    def _descriptor(self, stream: str) -> int:
        return int(getattr(self.process, stream).fileno())


@dataclass(slots=True)
class _Descriptors:
    """The ends of pipes that go to bubblewrap; closed here once it has them."""

    theirs: list[int] = field(default_factory=list)

    def to_read(self, data: bytes) -> int:
        """One from which bubblewrap reads the data (less than a pipe holds)."""
        end, ours = os.pipe()
        self.theirs.append(end)
        os.write(ours, data)
        os.close(ours)
        return end

    def close(self) -> None:
        """Close them all."""
        for end in self.theirs:
            os.close(end)


def _open(limits: Limits) -> BubblewrapBox:
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxError("bubblewrap is not installed: expected the program bwrap")
    given = _Descriptors()
    status, status_end = os.pipe()
    gate_end, gate = os.pipe()
    given.theirs += [status_end, gate_end]
    try:
        arguments = _arguments(program, limits, given.to_read(_filter()), status_end, gate_end)
        process = in_spawner(lambda: _start(arguments, given.theirs))
    except BaseException:
        os.close(status)
        os.close(gate)
        raise
    finally:
        given.close()
    box = BubblewrapBox(process, status, None)
    try:
        box.group = _group(limits, process.pid, box.follow())
        os.write(gate, b"1")
    except BaseException:
        box.close()
        raise
    finally:
        os.close(gate)
    return box


def _start(arguments: list[str], descriptors: list[int]) -> subprocess.Popen[bytes]:
    """Start bubblewrap, without an environment, and as nobody that exists where that can be had."""
    as_root = os.geteuid() == 0
    user = secrets.choice(_STRANGERS) if as_root else None
    process = subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd="/",
        env=scope.environment() if scope.works() else {},
        pass_fds=descriptors,
        user=user,
        group=user,
        extra_groups=[] if as_root else None,
    )
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            os.set_blocking(stream.fileno(), False)
    return process


def _arguments(program: str, limits: Limits, code: int, status: int, gate: int) -> list[str]:
    """The whole command line."""
    place, capped = runtime(), _memory_capped()
    ceilings = {"CORE": 0, "NOFILE": _OPEN_FILES, "NPROC": limits.processes + _SPARE}
    rules = {"limits": ceilings, "forget": ["PWD"]}  # bubblewrap sets PWD with the folder
    scratch = ["--size", str(limits.disk_bytes), "--tmpfs", "/tmp"] if capped else []
    environment = [word for pair in ENVIRONMENT.items() for word in ("--setenv", *pair)]
    told = [OWN_PID_NAMESPACE, *(["--scratch=/tmp"] if capped else [])]
    return [
        *(scope.command(limits, spare_processes=_SPARE + 1) if scope.works() else ()),
        program,
        *("--unshare-all", "--unshare-user", *_newer_options(program)),
        *("--uid", _INSIDE_USER, "--gid", _INSIDE_USER, "--cap-drop", "ALL", "--hostname", "box"),
        *("--new-session", "--die-with-parent", "--clearenv", *environment),
        *("--ro-bind", str(place.root), "/", "--ro-bind", str(contents().folder), BOX),
        *("--dev-bind", "/dev/null", "/dev/null", *scratch, "--remount-ro", "/", "--chdir", "/tmp"),
        *(("--seccomp", str(code)) if seccomp.supported() else ()),
        *("--json-status-fd", str(status), "--block-fd", str(gate), "--"),
        *command(place.python, BOX, *told, rules=repr(rules)),
    ]


@lru_cache(maxsize=1)
def _newer_options(program: str) -> tuple[str, ...]:
    """What only bubblewrap 0.8 and later know; the filter refuses the same."""
    asked = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=10, check=False)
    return ("--disable-userns",) if "--disable-userns" in asked.stdout else ()


def _filter() -> bytes:
    return seccomp.program() if seccomp.supported() else b""


def _memory_capped() -> bool:
    return cgroup.trees() is not None or scope.works()


def _group(limits: Limits, outer: int, first: int) -> cgroup.Group | scope.Scope | None:
    """Put the box's first process where its memory and processes are counted."""
    trees = cgroup.trees()
    if trees is None:
        return scope.Scope(outer) if scope.works() else None
    group = cgroup.Group(trees, limits, spare_processes=_SPARE)
    try:
        group.add(first)
    except OSError:
        group.remove()
        raise
    return group


def _ending(report: bytes, kills: int) -> Ending:
    """bubblewrap reports a signal as 128 and its number."""
    found = _EXIT.search(report)
    if not found:
        return Ending(signal=signal.SIGKILL)
    code = int(found[1])
    if code > 128:
        return Ending(signal=code - 128, out_of_memory=kills > 0)
    return Ending(exit_status=code)
