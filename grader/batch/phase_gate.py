"""A gate between the two phases of grading, for all workers that a batch has on a machine.

Whoever is in a phase holds that phase's byte of a file shared, and enters while nobody holds the other
one's. So that no core is idle while submissions wait, there may be more workers than places to work:
each place is a byte that whoever is at work holds alone. Who wants to go on to the hidden phase lets
its place go, and waits while others make use of it. Once a place is left over, it calls: it holds the
byte for that, those in the shown phase step aside between two rounds of calls, and all who wait go on
together.

Nobody waits for a lock: what cannot be had is asked for again, so there is no deadlock. The kernel
lets go of what a killed worker held.
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
from grader.sandbox.cache import cache_folder
from grader.sandbox.owner import belongs_to_ended, own_name

_SHOWN, _HIDDEN, _CALLED, _NO_PLACE, _PLACES = range(5)
"""Bytes of the file: the phases, the call, who is in a phase without a place, the first of the places."""
_NAME: Final = "phases"
_LOOK_SECONDS: Final = 0.01
"""How often it is looked again whether what is waited for can be had."""


class Waited(Protocol):
    """A number that the grader sees too: the seconds that a worker has waited; infinite while it waits."""

    value: float


def shared_seconds() -> Waited:
    """A number shared with the processes that are forked from now on: in no file, so it takes no disk."""
    number: Waited = ctypes.c_double.from_buffer(mmap.mmap(-1, ctypes.sizeof(ctypes.c_double)))
    return number


@contextmanager
def named_gate() -> Iterator[str]:
    """Give the gate of a batch a name, and leave nothing on this machine of it, or of one that was killed."""
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
    """A worker's way in; for one process, and one submission at a time."""

    def __init__(self, name: str, seconds: Waited, places: int = 0) -> None:
        """All gates of one name on a machine are one; ``seconds`` grows by what is waited.

        At most ``places`` submissions are worked on at once, the same number for all of the gate; with 0
        as many as there are workers.
        """
        self._path = _file_of(name)
        self._seconds = seconds
        self._places = range(_PLACES, _PLACES + places)
        self._place: int | None = None
        self._file = -1

    def show(self) -> None:
        """Return when no box of the batch on this machine holds hidden mazes. Raises SandboxError."""
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SandboxError(
                f"cannot open {self._path}: {error.strerror}; free some space there"
            ) from error
        with self._waiting():
            self._enter_shown()

    def step_aside(self) -> None:
        """In the shown phase, while no process of the submission lives: let those go on who have called."""
        if self._is_called():
            with self._waiting():
                self._leave_shown()
                self._enter_shown()

    def hide(self) -> None:
        """Return when no box of the batch on this machine is in the phase that is shown."""
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
        """Let those in who wait for the other phase; safe to call twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file, self._place = -1, None

    @contextmanager
    def _waiting(self) -> Iterator[None]:
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
        """Whether that could be had: the phase and a place in it, while nobody calls."""
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
        """Enter a phase if nobody is in the other one."""
        if not self._took(other, fcntl.LOCK_EX):
            return False
        is_in = self._took(phase, fcntl.LOCK_SH)
        self._let_go(other)
        return is_in

    def _found_a_place(self) -> bool:
        """Take a place, or say that one is wanted."""
        self._place = next((place for place in self._places if self._took(place, fcntl.LOCK_EX)), None)
        if self._place is None and self._places:
            self._took(_NO_PLACE, fcntl.LOCK_SH)
            return False
        self._let_go(_NO_PLACE)
        return True

    def _is_called(self) -> bool:
        return not self._could_take(_CALLED, fcntl.LOCK_SH)

    def _is_a_place_left_over(self) -> bool:
        """Whether there is one that nobody has and nobody wants."""
        if not self._could_take(_NO_PLACE, fcntl.LOCK_EX):
            return False
        return not self._places or any(self._could_take(place, fcntl.LOCK_EX) for place in self._places)

    def _could_take(self, byte: int, how: int) -> bool:
        """Tell whether a byte that is not held here could be taken."""
        could = self._took(byte, how)
        if could:
            self._let_go(byte)
        return could

    def _took(self, byte: int, how: int) -> bool:
        """Take a byte if that can be done at once."""
        try:
            fcntl.lockf(self._file, how | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):
            return False
        return True

    def _let_go(self, byte: int) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, byte)
