"""The system calls that no submission needs, refused: a filter for the kernel, written by hand.

A filter is a program of classic BPF: eight bytes an instruction, run at every system call over the
call's number, architecture and arguments. It goes into a box in two ways: bubblewrap loads it
(``--seccomp``), and where nobody else does, the runner loads it before it listens. It stacks on
whatever filter is there; a call is as forbidden as the strictest says.

Refused are: sockets of every family, other processes' memory (ptrace, process_vm, pidfd_getfd), their
priorities, limits, and signals by roundabout ways, mounts, namespaces, keys, BPF, performance counters,
io_uring, userfaultfd, memory files and System V shared memory (they escape per-process limits),
modules, clocks, what only an administrator uses, and what one box could tell another by: all boxes of a
machine read the same files, so locks, leases, notifications, times, futexes and the state of the cache
of a file are refused, as are queues, semaphores, and counts of the whole machine. ``system_calls.py``
lists them all. Architectures other than the machine's own are ended at once: their numbers differ.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterable
from typing import Final

from .system_calls import BY_ARGUMENT, FOR_THE_RUNNER, NONE, NOT_THERE, REFUSED, ByArgument, ByBits

_X86_64, _AARCH64 = 0xC000003E, 0xC00000B7
_ARCHITECTURES: Final = {"x86_64": (0, _X86_64), "aarch64": (1, _AARCH64)}

_X32: Final = 0x40000000

_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_AT_LEAST, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Their offsets in struct seccomp_data; for the arguments, that of the low half (little-endian)."""
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000

_Instruction = tuple[int, int, int, int]


def supported(machine: str | None = None) -> bool:
    """Tell whether there is a filter for the architecture (by default for this machine's)."""
    return (machine or os.uname().machine) in _ARCHITECTURES


def program(machine: str | None = None) -> bytes:
    """Return the filter for the architecture (by default for this machine's), as the kernel reads it.

    Raises KeyError where there is none.
    """
    column, architecture = _ARCHITECTURES[machine or os.uname().machine]
    lines = _beginning(architecture)
    if architecture == _X86_64:
        lines += [(_JUMP_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    lines += _answer_any((numbers[column] for numbers in NOT_THERE.values()), errno.ENOSYS)
    lines += _answer_any((numbers[column] for numbers in REFUSED.values()), errno.EPERM)
    for call in BY_ARGUMENT.values():
        lines += _look_at(call, column)
    return _packed(lines)


def program_of_children(machine: str | None = None) -> bytes:
    """Return the additional filter for children of the runner. Raises KeyError where there is none."""
    column, architecture = _ARCHITECTURES[machine or os.uname().machine]
    numbers = (numbers[column] for numbers in FOR_THE_RUNNER.values())
    return _packed([*_beginning(architecture), *_answer_any(numbers, errno.EPERM)])


def _beginning(architecture: int) -> list[_Instruction]:
    return [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
    ]


def _packed(lines: list[_Instruction]) -> bytes:
    return b"".join(struct.pack("<HBBI", *line) for line in [*lines, (_RETURN, 0, 0, _ALLOW)])


def _answer_any(numbers: Iterable[int], error: int) -> list[_Instruction]:
    """Return one comparison for each number; the jumps lead to one return at the end."""
    there = sorted(number for number in numbers if number != NONE)
    tests: list[_Instruction] = [
        (_JUMP_EQUAL, len(there) - place, 0, number) for place, number in enumerate(there)
    ]
    skip = (_JUMP_AT_LEAST, 1, 1, 0)  # both ways lead past the return
    return [*tests, skip, (_RETURN, 0, 0, _ERRNO | error)]


def _look_at(call: ByArgument | ByBits, column: int) -> list[_Instruction]:
    """Return the lines that check an argument of one call, and load the number again afterwards."""
    refuse = (_RETURN, 0, 0, _ERRNO | call.error)
    skip = (_JUMP_AT_LEAST, 1, 1, 0)  # both ways lead past the return
    body: list[_Instruction] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * call.place), *_tests(call)]
    body += [skip, refuse] if call.refused else [refuse]
    return [(_JUMP_EQUAL, 0, len(body) + 1, call.numbers[column]), *body, (_LOAD, 0, 0, _NUMBER)]


def _tests(call: ByArgument | ByBits) -> list[_Instruction]:
    """Return comparisons that skip the first line behind them where the argument is among the values."""
    if isinstance(call, ByBits):
        return [(_JUMP_BITS, 1, 0, call.bits)]
    lines: list[_Instruction] = []
    count = 2 * len(call.values)
    for place, (first, last) in enumerate(call.values):
        left = count - 2 * place - 1  # lines up to the one behind the tests
        lines += [(_JUMP_AT_LEAST, 0, 1, first), (_JUMP_ABOVE, 0, left, last)]
    return lines
