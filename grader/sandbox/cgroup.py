"""Control groups: the kernel counts and limits memory, processes and processor time of a whole tree.

A box gets a group of its own, in the tree of version 2 or, on older machines, in the three trees of version
1, where delegation.py finds that the grader may create one; missing controllers are not used. A group also
knows all of its processes, whatever their sessions and parents, and how many the kernel killed for their
memory.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.model import Limits
from grader.sandbox.owner import belongs_to_ended, own_name

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
