"""Control groups: memory, processes and processor of a whole tree, counted and capped by the kernel.

A box gets a group of its own, in the tree of version 2 or, on older machines, in the three trees of
version 1, where delegation.py finds that the grader may make one; a controller that is not there is
gone without. A group also knows every process in it, whatever sessions and parents they have given
themselves, and how many the kernel killed for their memory.
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
from grader.sandbox.owner import is_left, own_name

CONTROLLERS: Final = ("memory", "pids", "cpu")
PREFIX: Final = "maze-grader"
_PERIOD: Final = 100_000
"""In each so many microseconds a box gets as many of one processor, whatever the number of its processes."""
_SECONDS: Final = 2.0
"""Far more than the kernel takes to end the processes of a group and to let it be removed."""


@dataclass(frozen=True, slots=True)
class Trees:
    """Where groups can be made: a folder for each controller that there is, the same for all in version 2."""

    places: Mapping[str, Path]
    unified: bool

    @property
    def folders(self) -> set[Path]:
        """All of them."""
        return set(self.places.values())


class Group:
    """The group of one box."""

    def __init__(self, trees: Trees, limits: Limits, *, spare_processes: int) -> None:
        """Make it, with its limits. Raises OSError."""
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
        """Move a process into the group; its children to come are born there. Raises OSError."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(process))

    def memory_kills(self) -> int:
        """How many processes the kernel has killed here for their memory; 0 where it does not count them."""
        memory = self._places.get("memory")
        return (
            counted_kills(memory / ("memory.events" if self._unified else "memory.oom_control"))
            if memory
            else 0
        )

    def processes(self) -> list[int]:
        """The processes in the group."""
        return listed(next(iter(self._folders)))

    def kill(self, *, seconds: float = _SECONDS) -> None:
        """End every process in the group, new ones too."""
        _end(self._folders, seconds)

    def remove(self, *, seconds: float = _SECONDS) -> None:
        """Take the empty group away; the kernel needs a moment after the last process ended."""
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


def counted_kills(file: Path) -> int:
    """How many processes the kernel has killed for their memory, as the file of a group says."""
    with contextlib.suppress(OSError):
        words = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
        return sum(int(value) for name, value in words if name == "oom_kill")
    return 0


def sweep(folder: Path) -> None:
    """End and remove the groups of graders that are no more."""
    for group in folder.glob(f"{PREFIX}-*"):
        if is_left(group.name):
            _end({group}, _SECONDS)
            _remove(group, _SECONDS)


def _end(folders: Iterable[Path], seconds: float) -> None:
    """End every process in the folders of a group, whatever is born meanwhile."""
    end = time.monotonic() + seconds
    for folder in folders:
        write_if_there(folder / "cgroup.kill", "1")
        while (there := listed(folder)) and time.monotonic() < end:
            for process in there:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.0005)


def _remove(folder: Path, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not _removed(folder) and time.monotonic() < end:
        time.sleep(0.001)


def listed(group: Path) -> list[int]:
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


def write_if_there(file: Path, text: str) -> None:
    """Write to a file that may be missing, which is not made then, or take no such text."""
    with contextlib.suppress(OSError), os.fdopen(os.open(file, os.O_WRONLY), "w", encoding="ascii") as there:
        there.write(text)
