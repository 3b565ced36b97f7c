"""The numbers of system calls, held against those that libseccomp has, and what is refused of some."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import termios
from collections import Counter

import pytest

from grader.inside.system_calls import BY_ARGUMENT, FOR_THE_RUNNER, NONE, NOT_THERE, REFUSED
from tests.grader.inside.test_seccomp import ALLOW, MACHINES, refused, verdict

CALLS = {
    **REFUSED,
    **NOT_THERE,
    **FOR_THE_RUNNER,
    **{name: call.numbers for name, call in BY_ARGUMENT.items()},
}
UNKNOWN = -1
"""Said by libseccomp of a name that it does not know; of one that a machine does not have, a number below."""
ONE_NUMBER_FROM = 424
"""Calls that came with Linux 5.1 or later have the same number on every machine, and begin with this one."""
NAMESPACES = {
    "CLONE_NEWNS": 0x00020000,
    "CLONE_NEWCGROUP": 0x02000000,
    "CLONE_NEWUTS": 0x04000000,
    "CLONE_NEWIPC": 0x08000000,
    "CLONE_NEWUSER": 0x10000000,
    "CLONE_NEWPID": 0x20000000,
    "CLONE_NEWNET": 0x40000000,
    "CLONE_PIDFD": 0x00001000,
}
THREADS = 0x003D0F00
"""The flags with which the C library starts a thread."""


def known_to_libseccomp(name: str, machine: str) -> int:
    """Return the number that a machine of this kind has for the call, or a negative one."""
    resolve = ctypes.CDLL("libseccomp.so.2").seccomp_syscall_resolve_name_arch
    return int(resolve(ctypes.c_uint32(MACHINES[machine]), name.encode()))


@pytest.mark.parametrize("name", CALLS)
def test_a_number_is_the_one_that_the_kernel_has(name: str) -> None:
    found = tuple(known_to_libseccomp(name, machine) for machine in MACHINES)
    if set(found) == {UNKNOWN}:  # newer than the library
        one, other = CALLS[name]
        assert one == other >= ONE_NUMBER_FROM
    else:
        assert CALLS[name] == tuple(max(number, NONE) for number in found)


def test_libseccomp_knows_nearly_all() -> None:
    known = [name for name in CALLS if known_to_libseccomp(name, "x86_64") != UNKNOWN]
    assert len(known) > len(CALLS) - 10


@pytest.mark.parametrize("column", range(len(MACHINES)))
def test_no_two_calls_have_one_number(column: int) -> None:
    numbers = Counter(pair[column] for pair in CALLS.values() if pair[column] != NONE)
    assert numbers.most_common(1)[0][1] == 1


def says(name: str, argument: int, machine: str) -> int:
    """Return what the filter says to a call with that argument in the place that counts."""
    call = BY_ARGUMENT[name]
    number = call.numbers[list(MACHINES).index(machine)]
    return verdict(machine, number, *[0] * call.place, argument)


@pytest.mark.parametrize("machine", MACHINES)
def test_what_python_and_the_c_library_ask_is_allowed(machine: str) -> None:
    asked = {
        "ioctl": [
            *(termios.TCGETS, termios.TIOCGWINSZ, termios.FIONREAD),
            *(termios.FIONBIO, termios.FIONCLEX, termios.FIOCLEX),
        ],
        "fcntl": [
            *(fcntl.F_DUPFD, fcntl.F_GETFD, fcntl.F_SETFD),
            *(fcntl.F_GETFL, fcntl.F_SETFL, fcntl.F_DUPFD_CLOEXEC),
        ],
        "madvise": [mmap.MADV_NORMAL, mmap.MADV_DONTNEED, mmap.MADV_FREE, mmap.MADV_HUGEPAGE],
        "mmap": [mmap.MAP_PRIVATE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.MAP_SHARED],
        "clone": [THREADS],
    }
    said = {(name, each): says(name, each, machine) for name, values in asked.items() for each in values}
    assert said == dict.fromkeys(said, ALLOW)


@pytest.mark.parametrize("machine", MACHINES)
def test_what_others_could_see_is_refused(machine: str) -> None:
    asked = {
        "ioctl": [termios.TCSETS, termios.TIOCSTI, termios.TIOCSCTTY, termios.TIOCSPGRP],
        "fcntl": [
            *(fcntl.F_GETLK, fcntl.F_SETLK, fcntl.F_SETLKW, fcntl.F_SETOWN, fcntl.F_SETSIG),
            *(fcntl.F_SETLEASE, fcntl.F_NOTIFY, fcntl.F_SETPIPE_SZ, fcntl.F_ADD_SEALS),
        ],
        "madvise": [mmap.MADV_MERGEABLE],
        "clone": [*NAMESPACES.values()],
    }
    said = {(name, each): says(name, each, machine) for name, values in asked.items() for each in values}
    errors = {"ioctl": errno.ENOTTY}
    assert said == {key: refused(errors.get(key[0], errno.EPERM)) for key in said}
