"""Control groups: memory, processes and processor of a whole tree, counted and capped by the kernel.

Where the grader is root it makes a group of its own a box, in the tree of version 2 or, on older
machines, in the three trees of version 1; where there is no controller of the processor it goes
without. A group also knows every process in it, whatever sessions and parents they have given
themselves, and how many the kernel killed for their memory.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import time
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from grader.model import Limits
from grader.sandbox.owner import is_left, own_name

_ROOT: Final = Path("/sys/fs/cgroup")
_PREFIX: Final = "maze-grader"
_PERIOD: Final = 100_000
"""In each so many microseconds a box gets as many of one processor, whatever the number of its processes."""


@dataclass(frozen=True, slots=True)
class Trees:
    """Where groups can be made: one folder for version 2, one a controller for version 1."""

    memory: Path
    pids: Path
    cpu: Path | None

    @property
    def unified(self) -> bool:
        """Whether one folder holds them all."""
        return self.memory == self.pids

    @property
    def folders(self) -> set[Path]:
        """All of them."""
        return {folder for folder in (self.memory, self.pids, self.cpu) if folder is not None}

    def group(self, name: str) -> Trees:
        """The folders of one group."""
        return Trees(self.memory / name, self.pids / name, self.cpu / name if self.cpu else None)


class Group:
    """The group of one box."""

    def __init__(self, trees: Trees, limits: Limits, *, spare_processes: int) -> None:
        """Make it, with its limits. Raises OSError."""
        name = f"{own_name(_PREFIX)}{secrets.token_hex(6)}"
        self._unified, self._folders = trees.unified, trees.group(name)
        self._memory, self._pids = self._folders.memory, self._folders.pids
        try:
            for folder in self._folders.folders:
                folder.mkdir()
            (self._pids / "pids.max").write_text(str(limits.processes + spare_processes))
            self._cap_memory(limits.memory_bytes)
            self._cap_processor()
        except OSError:
            self.remove()
            raise

    def add(self, process: int) -> None:
        """Move a process into the group; its children to come are born there. Raises OSError."""
        for folder in self._folders.folders:
            (folder / "cgroup.procs").write_text(str(process))

    def memory_kills(self) -> int:
        """How many processes the kernel has killed here for their memory."""
        return counted_kills(self._memory / ("memory.events" if self._unified else "memory.oom_control"))

    def processes(self) -> list[int]:
        """The processes in the group."""
        return _listed(self._pids)

    def kill(self, *, seconds: float = 2.0) -> None:
        """End every process in the group, new ones too."""
        with contextlib.suppress(OSError):
            (self._pids / "cgroup.kill").write_text("1")
        end = time.monotonic() + seconds
        while (there := self.processes()) and time.monotonic() < end:
            for process in there:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.0005)

    def remove(self, *, seconds: float = 2.0) -> None:
        """Take the empty group away; the kernel needs a moment after the last process ended."""
        for folder in self._folders.folders:
            end = time.monotonic() + seconds
            while not _removed(folder) and time.monotonic() < end:
                time.sleep(0.001)

    def _cap_memory(self, limit: int) -> None:
        if self._unified:
            _write_if_there(self._memory / "memory.swap.max", "0")
            (self._memory / "memory.max").write_text(str(limit))
            return
        (self._memory / "memory.limit_in_bytes").write_text(str(limit))
        _write_if_there(self._memory / "memory.memsw.limit_in_bytes", str(limit))

    def _cap_processor(self) -> None:
        folder = self._folders.cpu
        if folder is not None and self._unified:
            (folder / "cpu.max").write_text(f"{_PERIOD} {_PERIOD}")
        elif folder is not None:
            (folder / "cpu.cfs_period_us").write_text(str(_PERIOD))
            (folder / "cpu.cfs_quota_us").write_text(str(_PERIOD))


def counted_kills(file: Path) -> int:
    """How many processes the kernel has killed for their memory, as the file of a group says."""
    with contextlib.suppress(OSError):
        words = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
        return sum(int(value) for name, value in words if name == "oom_kill")
    return 0


@lru_cache(maxsize=1)
def trees() -> Trees | None:
    """Find where this process may make groups, None where it may not; sweeps what others left."""
    if os.geteuid() != 0:
        return None
    whole = _unified() if (_ROOT / "cgroup.controllers").exists() else _separate()
    choices = (whole, replace(whole, cpu=None)) if whole else ()
    found = next(filter(_usable, choices), None)
    for folder in found.folders if found else ():
        sweep(folder)
    return found


def _unified() -> Trees | None:
    """A folder at the top whose children have the controllers (version 2)."""
    folder = _ROOT / "maze-grader"
    try:
        (_ROOT / "cgroup.subtree_control").write_text("+memory +pids")
        folder.mkdir(exist_ok=True)
        (folder / "cgroup.subtree_control").write_text("+memory +pids")
    except OSError:
        return None
    for parent in (_ROOT, folder):
        _write_if_there(parent / "cgroup.subtree_control", "+cpu")
    return Trees(folder, folder, folder)


def _separate() -> Trees | None:
    """This process's own group in each of the trees (version 1)."""
    own: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        own |= dict.fromkeys(controllers.split(","), path)
    places = {name: _place(name, own.get(name, "/")) for name in ("memory", "pids", "cpu")}
    return Trees(places["memory"], places["pids"], places["cpu"])


def _place(controller: str, path: str) -> Path:
    """In a container the tree that is mounted may begin at the group itself."""
    full = _ROOT / controller / path.lstrip("/")
    return full if full.is_dir() else _ROOT / controller


def _usable(found: Trees) -> bool:
    try:
        Group(found, Limits(), spare_processes=0).remove()
    except OSError:
        return False
    return True


def sweep(folder: Path) -> None:
    """End and remove the groups of graders that are no more."""
    for group in folder.glob(f"{_PREFIX}-*"):
        if is_left(group.name):
            for process in _listed(group):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            _removed(group)


def _listed(group: Path) -> list[int]:
    """The processes of a group; none where somebody else has taken it away meanwhile.

    Those of a namespace that is not seen from here are told as 0, which is no process.
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


def _write_if_there(file: Path, text: str) -> None:
    with contextlib.suppress(OSError):
        file.write_text(text)
