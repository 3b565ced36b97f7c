"""A gate between the two phases of grading, for all workers that a batch has on a machine.

Group mutual exclusion by locks on three bytes of a file. Whoever is in a phase holds that phase's
byte shared. Whoever wants to enter one takes the first byte alone, waits until it could have the
other phase's byte alone, takes its own one shared, and lets go of the first. Nobody waits while
it holds a phase's byte, so there is no deadlock; the kernel lets go of what a killed worker held.
"""

from __future__ import annotations

import fcntl
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Protocol

from grader.errors import SandboxError
from grader.sandbox.cache import cache_folder

_ENTRY, _SHOWN, _HIDDEN = range(3)


class Waited(Protocol):
    """A number that the grader sees too: the seconds that a worker has waited; infinite while it waits."""

    value: float


def shared_seconds() -> Waited:
    """A number shared with the processes that are forked from now on."""
    number: Waited = RawValue("d", 0.0)
    return number


@contextmanager
def named_gate() -> Iterator[str]:
    """Give the gate of a batch a name, and leave nothing of it on this machine."""
    name = f"phases-{token_hex(8)}"
    try:
        yield name
    finally:
        with suppress(OSError):
            _file_of(name).unlink(missing_ok=True)


def _file_of(name: str) -> Path:
    return cache_folder() / name


class PhaseGate:
    """A worker's way in; for one process, and one submission at a time."""

    def __init__(self, name: str, seconds: Waited | None = None) -> None:
        """All gates of one name on a machine are one; ``seconds`` grows by what is waited."""
        self._path = _file_of(name)
        self._seconds = shared_seconds() if seconds is None else seconds  # a zero is false
        self._file = -1

    def show(self) -> None:
        """Return when no box of the batch on this machine holds hidden mazes. Raises SandboxError."""
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SandboxError(
                f"cannot open {self._path}: {error.strerror}; free some space there"
            ) from error
        self._enter(_SHOWN, other=_HIDDEN)

    def hide(self) -> None:
        """Return when no box of the batch on this machine is in the phase that is shown."""
        self._lock(fcntl.LOCK_UN, _SHOWN)
        self._enter(_HIDDEN, other=_SHOWN)

    def leave(self) -> None:
        """Let those in who wait for the other phase; safe to call twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _enter(self, phase: int, *, other: int) -> None:
        before, started = self._seconds.value, monotonic()
        self._seconds.value = math.inf
        try:
            self._lock(fcntl.LOCK_EX, _ENTRY)
            self._lock(fcntl.LOCK_EX, other)
            self._lock(fcntl.LOCK_UN, other)
            self._lock(fcntl.LOCK_SH, phase)
            self._lock(fcntl.LOCK_UN, _ENTRY)
        finally:
            self._seconds.value = before + monotonic() - started

    def _lock(self, how: int, byte: int) -> None:
        fcntl.lockf(self._file, how, 1, byte)
