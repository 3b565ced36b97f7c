"""A gate between the two phases of grading, for all workers that a batch has on a machine.

Theory of operation. The state is a file whose bytes are locked. A worker in a phase holds a shared lock on
that phase's byte, and may enter only while nobody holds the other phase's byte. There may be more workers
than places, so that no core is idle while workers wait: each place is a byte that a working worker locks
exclusively. To enter the hidden phase, a worker releases its place and waits. Once a place is left unused, it
locks the byte for calls: the workers in the shown phase then step aside between two rounds of calls, and all
waiting workers go on together.

Nobody blocks on a lock: each is tried again after a pause, so there is no deadlock. The kernel releases the
locks of a killed worker.
"""

from __future__ import annotations

import ctypes
import fcntl
import math
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import Final, Protocol

from grader.errors import SandboxError
from grader.sandbox.cgroup import belongs_to_ended, own_name
from grader.sandbox.contents import cache_folder

_SHOWN, _HIDDEN, _CALLED, _NO_PLACE, _PLACES = range(5)
"""The bytes of the file: both phases, the call, workers in a phase without a place, and the first place."""
_NAME: Final = "phases"
_LOOK_SECONDS: Final = 0.01
"""The pause before a lock that is taken is tried again."""


class Waited(Protocol):
    """A number shared with the grader: the seconds that a worker has waited, infinite while it waits."""

    value: float


def shared_seconds() -> Waited:
    """Return a number in memory that is shared with all processes forked from now on."""
    number: Waited = ctypes.c_double.from_buffer(mmap.mmap(-1, ctypes.sizeof(ctypes.c_double)))
    return number


@contextmanager
def named_gate() -> Iterator[str]:
    """Yield a name for the gate of a batch.

    At the end, remove its file, and those that killed batches left.
    """
    name = f"{own_name(_NAME)}{token_hex(8)}"
    for left in cache_folder().glob(f"{_NAME}-*"):
        if belongs_to_ended(left.name):
            with suppress(OSError):
                left.unlink(missing_ok=True)
    try:
        yield name
    finally:
        with suppress(OSError):
            _file_of(name).unlink(missing_ok=True)


def _file_of(name: str) -> Path:
    return cache_folder() / name


class PhaseGate:
    """One worker's view of the gate, for one submission at a time."""

    def __init__(self, name: str, seconds: Waited, places: int = 0) -> None:
        """Join the gate of that name on this machine; ``seconds`` grows by the time spent waiting.

        ``places`` is how many submissions are graded at once, the same for all workers; 0 means no limit.
        """
        self._path = _file_of(name)
        self._seconds = seconds
        self._places = range(_PLACES, _PLACES + places)
        self._place: int | None = None
        self._file = -1

    def show(self) -> None:
        """Enter the shown phase, once no box of the batch on this machine holds hidden mazes.

        Raises SandboxError if the file cannot be opened.
        """
        self._come()
        with self._waiting():
            self._enter_shown()

    def step_aside(self) -> None:
        """Let workers that have called go first.

        Only in the shown phase, while no process of the submission is alive.
        """
        if self._is_called():
            with self._waiting():
                self._leave_shown()
                self._enter_shown()

    def hide(self) -> None:
        """Enter the hidden phase, once no box of the batch on this machine is in the shown one.

        Raises SandboxError where the file cannot be opened.
        """
        self._come()
        with self._waiting():
            self._leave_shown()
            while not self._entered(_HIDDEN, other=_SHOWN):
                if self._is_a_place_left_over():
                    self._took(_CALLED, fcntl.LOCK_EX)
                sleep(_LOOK_SECONDS)
            self._let_go(_CALLED)
            while not self._found_a_place():
                sleep(_LOOK_SECONDS)

    def leave(self) -> None:
        """Leave the phase; safe to call twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file, self._place = -1, None

    def _come(self) -> None:
        """Open the file, unless it is open."""
        if self._file >= 0:
            return
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SandboxError(
                f"cannot open {self._path}: {error.strerror}; free some space there"
            ) from error

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Count the time in the block as waiting; the number is infinite until the block ends."""
        before, started = self._seconds.value, monotonic()
        self._seconds.value = math.inf
        try:
            yield
        finally:
            self._seconds.value = before + monotonic() - started

    def _enter_shown(self) -> None:
        while not self._is_at_work_in_shown():
            sleep(_LOOK_SECONDS)

    def _is_at_work_in_shown(self) -> bool:
        """Try to enter the shown phase and take a place, unless somebody calls; return whether it worked."""
        if self._is_called():
            self._leave_shown()
            return False
        return self._entered(_SHOWN, other=_HIDDEN) and self._found_a_place()

    def _leave_shown(self) -> None:
        self._let_go(_SHOWN)
        self._let_go(_NO_PLACE)
        if self._place is not None:
            self._let_go(self._place)
            self._place = None

    def _entered(self, phase: int, *, other: int) -> bool:
        """Try to enter a phase, which only works while nobody is in the other; return whether it worked."""
        if not self._took(other, fcntl.LOCK_EX):
            return False
        is_in = self._took(phase, fcntl.LOCK_SH)
        self._let_go(other)
        return is_in

    def _found_a_place(self) -> bool:
        """Try to take a place, or note that one is wanted; return whether it worked."""
        self._place = next((place for place in self._places if self._took(place, fcntl.LOCK_EX)), None)
        if self._place is None and self._places:
            self._took(_NO_PLACE, fcntl.LOCK_SH)
            return False
        self._let_go(_NO_PLACE)
        return True

    def _is_called(self) -> bool:
        return not self._could_take(_CALLED, fcntl.LOCK_SH)

    def _is_a_place_left_over(self) -> bool:
        """Return whether there is a place that nobody has and nobody wants."""
        if not self._could_take(_NO_PLACE, fcntl.LOCK_EX):
            return False
        return not self._places or any(self._could_take(place, fcntl.LOCK_EX) for place in self._places)

    def _could_take(self, byte: int, how: int) -> bool:
        """Return whether a byte that this worker does not hold could be locked."""
        could = self._took(byte, how)
        if could:
            self._let_go(byte)
        return could

    def _took(self, byte: int, how: int) -> bool:
        """Try to lock a byte without waiting; return whether it worked."""
        try:
            fcntl.lockf(self._file, how | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _let_go(self, byte: int) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, byte)
