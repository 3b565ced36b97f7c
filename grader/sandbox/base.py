"""The contract of every back end: a box is opened, exchanges bytes with the grader, and is closed.

A box is used for one submission only. When ``open`` returns, a runner (``grader/inside``) is starting in it
and waits for its first line; the box contains Python, ``lab`` and ``inside``, and nothing of the host, the
reference or any other student. Deadlines are values of ``time.monotonic()``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from grader.model import Limits

OPEN_FILES: Final = 256
"""The most open files of a process in a box."""
PARTING_SECONDS: Final = 1
"""How long a runner may take to exit after closing its output."""
UNUSED_USERS: Final = range(2_000_000_000, 2_100_000_000)
"""User ids that nobody has: above those of containers, below the special ones."""


@dataclass(frozen=True, slots=True)
class Protection:
    """One thing that a back end protects against, whether it works here, and how to get it."""

    name: str
    works: bool
    detail: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """What a back end can do on this machine, determined by trying."""

    backend: str
    works: bool
    reason: str
    advice: str = ""
    protections: tuple[Protection, ...] = ()
    passing: bool = False
    """Whether it failed for lack of something that may come back."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a box ended: its exit status or signal, and whether the kernel killed it for its memory."""

    exit_status: int | None = None
    signal: int | None = None
    out_of_memory: bool = False
    taken_away: bool = False
    """Whether the machine or somebody on it ended the box, which says nothing about the submission."""


class Box(Protocol):
    """One single-use sandbox with a runner in it."""

    def write(self, data: bytes, *, deadline: float) -> None:
        """Send all bytes. Raises BoxTimeout, or BrokenPipeError if the runner is gone."""

    def read(self, *, deadline: float) -> bytes:
        """Return the next bytes (64 KiB at most), b"" at the end. Raises BoxTimeout."""

    def memory_kills(self) -> int:
        """Return how many of the box's processes the kernel has killed for their memory; 0 if unknown."""

    def kill(self) -> None:
        """Kill every process in the box; safe to call twice, and never blocks for long."""

    def close(self) -> Ending:
        """Kill, reap and clean up; safe to call twice."""


class Backend(Protocol):
    """A factory of boxes."""

    name: str
    isolation: str
    """A sentence for the report about what it protects."""

    def probe(self) -> Probe:
        """Determine, by trying, whether it works on this machine."""

    def open(self, limits: Limits) -> Box:
        """Start a box. Raises SandboxError, which is always the machine's fault, never a submission's."""
