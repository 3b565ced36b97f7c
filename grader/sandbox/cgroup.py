"""Control groups: the kernel counts and limits memory, processes and processor time of a whole tree.

A box gets a group of its own, in the tree of version 2 or, on older machines, in the three trees of version
1, where the grader may create one; missing controllers are not used. A group also knows all of its processes,
whatever their sessions and parents, and how many the kernel killed for their memory.

The grader that owns something is identified safely even when process ids are reused. An id alone may later
name another process, or one in another container that shares the engine, the control groups or a folder with
this one.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from grader.model import Limits

_PARTS: Final = 4
"""The number of parts of an identity."""


@lru_cache(maxsize=1)
def identity(process: int) -> str:
    """Return a unique name of a process: its namespace, the boot, its id, and its start time."""
    return "-".join((_space(), _boot(), str(process), _started(process)))


def is_over(identity: str) -> bool:
    """Return whether an identity names a process of this machine that no longer runs."""
    parts = identity.split("-")
    if len(parts) != _PARTS or parts[0] != _space():
        return False
    _, boot, process, started = parts
    return boot != _boot() or not process.isdigit() or _started(int(process)) != started


def own_name(what: str) -> str:
    """Return a prefix for names of this process's things; the rest must not contain a hyphen."""
    return f"{what}-{identity(os.getpid())}-"


def belongs_to_ended(name: str) -> bool:
    """Return whether a name with such a prefix belongs to a process that no longer runs."""
    return is_over("-".join(name.split("-")[-_PARTS - 1 : -1]))


def _space() -> str:
    """Return a digest of the machine and its process id namespace."""
    space = ""
    with contextlib.suppress(OSError):
        space = str(Path("/proc/self/ns/pid").readlink())
    return _short(f"{socket.gethostname()}/{space}")


def _boot() -> str:
    with contextlib.suppress(OSError):
        return _short(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    return ""


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def _started(process: int) -> str:
    """Return a process's start time in ticks since boot; "" if there is no such process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    return ""


CONTROLLERS: Final = ("memory", "pids", "cpu")
PREFIX: Final = "maze-grader"
_PERIOD: Final = 100_000
"""In each such period, in microseconds, a box gets that much time of one processor in total."""
_SECONDS: Final = 2.0
"""How long the kernel may take to end a group's processes and let it be removed: far more than it needs."""


@dataclass(frozen=True, slots=True)
class Trees:
    """The folders in which groups can be created, by controller; in version 2 all are the same."""

    places: Mapping[str, Path]
    unified: bool

    @property
    def folders(self) -> set[Path]:
        """The distinct folders."""
        return set(self.places.values())


class Group:
    """The control group of one box."""

    def __init__(self, trees: Trees, limits: Limits, *, spare_processes: int) -> None:
        """Create the group with its limits. Raises OSError."""
        name = f"{own_name(PREFIX)}{secrets.token_hex(6)}"
        self._unified = trees.unified
        self._places = {controller: folder / name for controller, folder in trees.places.items()}
        self._folders = set(self._places.values())
        try:
            for folder in self._folders:
                folder.mkdir()
            if pids := self._places.get("pids"):
                (pids / "pids.max").write_text(str(limits.processes + spare_processes))
            self._cap_memory(limits.memory_bytes)
            self._cap_processor()
        except OSError:
            self.remove()
            raise

    def add(self, process: int) -> None:
        """Move a process into the group; its future children start there. Raises OSError."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(process))

    def memory_kills(self) -> int:
        """Return how many processes the kernel has killed here for their memory; 0 if it keeps no count."""
        memory = self._places.get("memory")
        return (
            count_kills(memory / ("memory.events" if self._unified else "memory.oom_control"))
            if memory
            else 0
        )

    def processes(self) -> list[int]:
        """Return the ids of the processes in the group."""
        return list_processes(next(iter(self._folders)))

    def kill(self, *, seconds: float = _SECONDS) -> None:
        """Kill every process in the group, including new ones."""
        _end(self._folders, seconds)

    def remove(self, *, seconds: float = _SECONDS) -> None:
        """Remove the empty group; after the last process has ended, the kernel needs a moment."""
        for folder in self._folders:
            _remove(folder, seconds)

    def _cap_memory(self, limit: int) -> None:
        memory = self._places.get("memory")
        if memory and self._unified:
            write_if_there(memory / "memory.swap.max", "0")
            (memory / "memory.max").write_text(str(limit))
        elif memory:
            (memory / "memory.limit_in_bytes").write_text(str(limit))
            write_if_there(memory / "memory.memsw.limit_in_bytes", str(limit))

    def _cap_processor(self) -> None:
        cpu = self._places.get("cpu")
        if cpu and self._unified:
            (cpu / "cpu.max").write_text(f"{_PERIOD} {_PERIOD}")
        elif cpu:
            (cpu / "cpu.cfs_period_us").write_text(str(_PERIOD))
            (cpu / "cpu.cfs_quota_us").write_text(str(_PERIOD))


def count_kills(file: Path) -> int:
    """Read from a group's counter file how many processes the kernel has killed for their memory."""
    with contextlib.suppress(OSError):
        words = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
        return sum(int(value) for name, value in words if name == "oom_kill")
    return 0


def sweep(folder: Path) -> None:
    """End and remove the groups of graders that no longer run."""
    for group in folder.glob(f"{PREFIX}-*"):
        if belongs_to_ended(group.name):
            _end({group}, _SECONDS)
            _remove(group, _SECONDS)


def _end(folders: Iterable[Path], seconds: float) -> None:
    """Kill every process in the folders of a group, including those that start meanwhile."""
    end = time.monotonic() + seconds
    for folder in folders:
        write_if_there(folder / "cgroup.kill", "1")
        while (there := list_processes(folder)) and time.monotonic() < end:
            for process in there:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.0005)


def _remove(folder: Path, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not _removed(folder) and time.monotonic() < end:
        time.sleep(0.001)


def list_processes(group: Path) -> list[int]:
    """Return the ids of a group's processes; empty if the group was removed meanwhile.

    The kernel lists processes of a namespace that is invisible from here as 0; these are skipped.
    """
    with contextlib.suppress(OSError):
        return [int(line) for line in (group / "cgroup.procs").read_text().split() if line != "0"]
    return []


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def write_if_there(file: Path, text: str) -> None:
    """Write to a file if it exists and accepts the text; ignore errors."""
    with contextlib.suppress(OSError), os.fdopen(os.open(file, os.O_WRONLY), "w", encoding="ascii") as there:
        there.write(text)


# --- delegation -------------------------------------------------------------------------------------
# Where the grader may create control groups: at the top for root, and below a delegated group.
#
# Theory of operation: systemd delegates the group of a service or a scope to its user if told
# ``Delegate=yes``; so may a container. Whatever is found is tried, controller by controller, with a process.
# In version 2 a group with controllers for the groups below it must not contain processes itself. So
# everything in the delegated group, the grader and whatever else was started there, first moves to a group
# below it, named ``supervisor``, which keeps the limits that it had, and gets no others. Later processes
# start there, and a second grader finds the same place.
#
# Pitfalls: the controllers of processes and processor can be enabled while processes are in the way, and the
# groups below then accept none; a user's session is full of groups that belong to the user and yet are
# managed by systemd.

_ROOT: Final = Path("/sys/fs/cgroup")
_SUPERVISOR: Final = "supervisor"
_UNIT, _DELEGATED = "user.invocation_id", "user.delegate"
"""Attributes that systemd, from 251 on, sets on the group of a unit, and on one that it delegates."""
_MOVES: Final = 100
"""How often processes are moved out of a group, since new ones may start meanwhile."""


def controllers() -> frozenset[str]:
    """Return the controllers with which this process can set limits."""
    found = trees()
    return frozenset(found.places) if found else frozenset()


def obstacle() -> str:
    """Say why this process can set no limits, or only some."""
    folder = _ROOT if _is_unified() else _separate().places["memory"]
    if not folder.exists() or not any(folder.iterdir()):
        return f"no control groups are mounted at {_ROOT}"
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        return f"{_ROOT} is read-only, as in most containers"
    if found := trees():
        return f"the control group that the grader may use has {' and '.join(found.places)} only"
    own = _own_groups().get("" if _is_unified() else "memory", "/")
    return f"the grader's own control group, {own}, is not for it to divide"


@lru_cache(maxsize=1)
def trees() -> Trees | None:
    """Return where this process may create groups, or None; remove groups that dead graders left.

    In version 2 this may move the processes of this process's own group to one below it.
    """
    whole = _unified() if _is_unified() else (_separate(),)
    found = next((trees for each in whole if (trees := _usable(each)).places), None)
    for folder in found.folders if found else ():
        sweep(folder)
    return found


def _is_unified() -> bool:
    return (_ROOT / "cgroup.controllers").exists()


def _unified() -> Iterator[Trees]:
    """Yield places to try in version 2, the best first: the top for root, then the delegated group."""
    if os.geteuid() == 0 and _may_divide(_ROOT):
        folder = _ROOT / PREFIX
        with contextlib.suppress(OSError):
            _enable(_ROOT)
            folder.mkdir(exist_ok=True)
            yield Trees(dict.fromkeys(_enable(folder), folder), unified=True)
    handed_over = _handed_over()
    if handed_over:
        yield Trees(dict.fromkeys(_vacate(handed_over), handed_over), unified=True)


def _separate() -> Trees:
    """Return this process's own group in each tree of version 1."""
    own = _own_groups()
    return Trees({name: _place(name, own.get(name, "/")) for name in CONTROLLERS}, unified=False)


def _own_groups() -> dict[str, str]:
    """Return this process's group by controller; in version 2 the key is ""."""
    own: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            own |= dict.fromkeys(controllers.split(","), path)
    return own


def _place(controller: str, path: str) -> Path:
    """Return the folder of a group; in a container, the mounted tree may begin at the group itself."""
    full = _ROOT / controller / path.lstrip("/")
    return full if full.is_dir() else _ROOT / controller


def _usable(found: Trees) -> Trees:
    """Return the places where each single controller accepts a process."""
    working = {}
    for controller, folder in found.places.items():
        with contextlib.suppress(OSError):
            group = Group(Trees({controller: folder}, found.unified), Limits(), spare_processes=0)
            try:
                with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as waiting:  # noqa: S607 - wherever it is
                    group.add(waiting.pid)
            finally:
                group.remove()
            working[controller] = folder
    return Trees(working, found.unified)


def _handed_over() -> Path | None:
    """Return the group below which this process may create others: its own, or its parent after the move.

    A group that belongs to the user is not delegated if systemd marks it as its own: a user's session is full
    of such groups, and systemd takes their controllers away at any time.
    """
    path = _own_groups().get("", "/..")
    own = _ROOT / path.lstrip("/")
    if ".." in own.parts:  # it lies above what is mounted
        return None
    moved = own.name == _SUPERVISOR or (_is_marked(own.parent, _DELEGATED) and not _is_marked(own, _UNIT))
    choices = [own.parent, own] if moved and own != _ROOT else [own]
    return next(filter(_is_ours, choices), None)


def _is_ours(folder: Path) -> bool:
    if _is_marked(folder, _UNIT) and not _is_marked(folder, _DELEGATED):
        return False
    needed = (folder, folder / "cgroup.procs", folder / "cgroup.subtree_control")
    return all(os.access(each, os.W_OK) for each in needed)


def _is_marked(folder: Path, attribute: str) -> bool:
    with contextlib.suppress(OSError):
        return bool(os.getxattr(folder, attribute))
    return False


def _vacate(folder: Path) -> frozenset[str]:
    """Move a group's processes to one below it; return the controllers that groups below it then have.

    No controller is enabled until the last process has left: else the kernel would enable some, and create
    groups that accept no process.
    """
    for _ in range(_MOVES if _named_in(folder / "cgroup.controllers") else 0):
        if _may_divide(folder):
            return _enable(folder)
        (folder / _SUPERVISOR).mkdir(exist_ok=True)
        for process in list_processes(folder):
            write_if_there(folder / _SUPERVISOR / "cgroup.procs", str(process))  # it may have ended
    return frozenset()


def _may_divide(folder: Path) -> bool:
    """Return whether a group is empty or the real root, which a container's top group is not."""
    return not (folder / "cgroup.type").exists() or not (folder / "cgroup.procs").read_text(encoding="ascii")


def _enable(folder: Path) -> frozenset[str]:
    """Enable the controllers for groups below this one; return those that were enabled."""
    there, given = _named_in(folder / "cgroup.controllers"), folder / "cgroup.subtree_control"
    for controller in CONTROLLERS:
        if controller in there:
            write_if_there(given, f"+{controller}")
    return _named_in(given)


def _named_in(file: Path) -> frozenset[str]:
    """Return which of the grader's controllers a file names."""
    with contextlib.suppress(OSError):
        return frozenset(file.read_text(encoding="ascii").split()) & frozenset(CONTROLLERS)
    return frozenset()
