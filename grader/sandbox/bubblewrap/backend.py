"""bubblewrap: new namespaces, a root of its own, no capabilities, a system-call filter. No engine.

Theory of operation. A box's root is the copied Python of runtime.py, read-only, with the contents of
contents.py bound into it, /dev/null, and a small tmpfs as scratch; there is no /proc and nothing of the host.
If the grader runs as root, these files are in memory (cache.py), and bubblewrap itself runs as a user of the
box's own, whose id nobody else has. bubblewrap waits (``--block-fd``) with starting Python until its process
is in a control group, so that every process of the box starts there. The runner is process 1 of the box
(``--as-pid-1``), to which the kernel delivers no signal from inside; the kill goes to it, and ends everything
with it, including stopped and traced processes.

Pitfalls: ``--die-with-parent`` refers to the thread that started it (piped_box.py); bubblewrap's own
environment is readable in the box, so it must be empty; without a control group memory is limited only per
process, so such a box gets no scratch to fill.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from grader.errors import BoxTimeout, SandboxError
from grader.inside import seccomp
from grader.model import Limits
from grader.sandbox import cgroup, promises
from grader.sandbox.base import OPEN_FILES, UNUSED_USERS, Box, Probe
from grader.sandbox.bubblewrap import scope
from grader.sandbox.bubblewrap.tree import NamespaceTree
from grader.sandbox.contents import BOX, ENVIRONMENT, OWN_PID_NAMESPACE, SCRATCH, command, contents, runtime
from grader.sandbox.piped_box import PipedBox, in_spawner, start
from grader.sandbox.promises import probe_by_hello

_ADVICE: Final = (
    "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap), and allow user namespaces "
    "(sysctl user.max_user_namespaces; on Ubuntu 24.04 kernel.apparmor_restrict_unprivileged_userns=0)"
)
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
        return probe_by_hello(self, promises.protections(self.name, _scope_caps()), advice=_ADVICE)

    def open(self, limits: Limits) -> Box:
        """Start a box. Raises SandboxError."""
        try:
            return _open(limits)
        except (OSError, BoxTimeout, subprocess.SubprocessError) as error:
            raise SandboxError(f"cannot start a box with bubblewrap: {error}") from error


@dataclass(slots=True)
class _Descriptors:
    """Pipe ends that bubblewrap inherits; closed here once it has started."""

    theirs: list[int] = field(default_factory=list)

    def to_read(self, data: bytes) -> int:
        """Return a descriptor from which bubblewrap reads the data, which must fit into a pipe."""
        end, ours = os.pipe()
        self.theirs.append(end)
        os.write(ours, data)
        os.close(ours)
        return end

    def close(self) -> None:
        """Close them all."""
        for end in self.theirs:
            os.close(end)


def _open(limits: Limits) -> PipedBox:
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
    tree = NamespaceTree(process, status)
    box = PipedBox(process, tree)
    try:
        tree.group = _group(limits, process.pid, tree.follow())
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
    environment = scope.environment() if _scope_caps() else {}
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
    place, capped = runtime(), _memory_capped()
    ceilings = {"CORE": 0, "NOFILE": OPEN_FILES, "NPROC": limits.processes + _SPARE_PROCESSES}
    rules = {"limits": ceilings, "forget": ["PWD"]}  # bubblewrap sets PWD with the folder
    scratch = ["--size", str(limits.disk_bytes), "--tmpfs", SCRATCH] if capped else []
    environment = [word for pair in ENVIRONMENT.items() for word in ("--setenv", *pair)]
    told = [OWN_PID_NAMESPACE, *([f"--scratch={SCRATCH}"] if capped else [])]
    return [
        *(scope.command(limits, spare_processes=_SPARE_PROCESSES + 1) if _scope_caps() else ()),
        program,
        *("--unshare-all", "--unshare-user", *_newer_options(program)),
        *("--uid", _INSIDE_USER, "--gid", _INSIDE_USER, "--cap-drop", "ALL", "--hostname", "box"),
        *("--new-session", "--die-with-parent", "--as-pid-1", "--clearenv", *environment),
        *("--ro-bind", str(place.root), "/", "--ro-bind", str(contents().folder), BOX),
        *("--dev-bind", "/dev/null", "/dev/null", *scratch, "--remount-ro", "/", "--chdir", SCRATCH),
        *(("--seccomp", str(code)) if seccomp.supported() else ()),
        *("--json-status-fd", str(status), "--block-fd", str(gate), "--"),
        *command(place.python, BOX, *told, rules=repr(rules)),
    ]


@lru_cache(maxsize=1)
def _newer_options(program: str) -> tuple[str, ...]:
    """Return options that only bubblewrap 0.8 and later has; the system-call filter forbids the same."""
    asked = subprocess.run(  # noqa: S603 - the program that was found on the path
        [program, "--help"], capture_output=True, text=True, timeout=10, check=False
    )
    return ("--disable-userns",) if "--disable-userns" in asked.stdout else ()


def _filter() -> bytes:
    return seccomp.program() if seccomp.supported() else b""


def _scope_caps() -> frozenset[str]:
    """Return the controllers that a systemd scope caps; empty if the grader can create groups itself."""
    return frozenset() if cgroup.trees() else scope.caps()


def _memory_capped() -> bool:
    return "memory" in cgroup.controllers() | _scope_caps()


def _group(limits: Limits, outer: int, first: int) -> cgroup.Group | scope.Scope | None:
    """Put the box's first process into a group that counts its memory and processes."""
    trees = cgroup.trees()
    if trees is None:
        return scope.Scope(outer) if _scope_caps() else None
    group = cgroup.Group(trees, limits, spare_processes=_SPARE_PROCESSES)
    try:
        group.add(first)
    except OSError:
        group.remove()
        raise
    return group
