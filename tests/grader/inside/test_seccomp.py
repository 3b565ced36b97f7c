"""The filter, run by an interpreter of the kernel's little machine: what it says to which call.

The numbers of the calls are held against those that libseccomp has.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.inside import guard
from grader.inside.system_calls import BY_ARGUMENT, FOR_THE_RUNNER, HIGHEST, NONE, NOT_THERE, REFUSED, ByBits

ALLOW, KILL = 0x7FFF0000, 0x80000000
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def verdict(
    machine: str,
    number: int,
    *arguments: int,
    architecture: int | None = None,
    program: Callable[[str], bytes] = guard.filter_program,
) -> int:
    """Run the filter over one call."""
    data = struct.pack(
        "<iIQ6Q", number, architecture or MACHINES[machine], 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6]
    )
    lines = list(struct.iter_unpack("<HBBI", program(machine)))
    at, accumulator = 0, 0
    while True:
        code, yes, no, value = lines[at]
        at += 1
        match code:
            case 0x20:
                accumulator = int(struct.unpack_from("<I", data, value)[0])
            case 0x15:
                at += yes if accumulator == value else no
            case 0x25:
                at += yes if accumulator > value else no
            case 0x35:
                at += yes if accumulator >= value else no
            case 0x45:
                at += yes if accumulator & value else no
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"an instruction that the filter has no use for: {code:#x}")


def refused(error: int) -> int:
    return 0x00050000 | error


@pytest.mark.parametrize("machine", MACHINES)
def test_everything_on_the_list_is_refused(machine: str) -> None:
    column = list(MACHINES).index(machine)
    for numbers in REFUSED.values():
        if numbers[column] >= 0:
            assert verdict(machine, numbers[column]) == refused(errno.EPERM)
    for numbers in NOT_THERE.values():
        assert verdict(machine, numbers[column]) == refused(errno.ENOSYS)


@pytest.mark.parametrize("machine", MACHINES)
@given(number=st.integers(0, HIGHEST), argument=st.integers(0, 2**64 - 1))
def test_of_what_was_looked_at_only_the_list_is_refused(machine: str, number: int, argument: int) -> None:
    column = list(MACHINES).index(machine)
    by_argument = {call.numbers[column] for call in BY_ARGUMENT.values()}
    listed = {numbers[column] for numbers in (*REFUSED.values(), *NOT_THERE.values())}
    allowed = verdict(machine, number, argument, argument, argument) == ALLOW
    assert allowed == (number not in listed) or number in by_argument


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", BY_ARGUMENT)
@given(argument=st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 2048), st.integers(0x5400, 0x5460)))
def test_what_hangs_on_an_argument(name: str, machine: str, argument: int) -> None:
    call = BY_ARGUMENT[name]
    low = argument & 0xFFFFFFFF
    if isinstance(call, ByBits):
        meant = bool(low & call.bits)
    else:
        meant = any(first <= low <= last for first, last in call.values)
    number = call.numbers[list(MACHINES).index(machine)]
    arguments = [0] * 6
    arguments[call.place] = argument
    assert (verdict(machine, number, *arguments) == ALLOW) == (meant != call.refused)
    assert verdict(machine, number, *arguments) in (ALLOW, refused(call.error))


@pytest.mark.parametrize("machine", MACHINES)
@given(number=st.integers(0, 600))
def test_children_are_refused_a_little_more(machine: str, number: int) -> None:
    column = list(MACHINES).index(machine)
    listed = {numbers[column] for numbers in FOR_THE_RUNNER.values()}
    said = verdict(machine, number, program=guard.program_of_children)
    assert said == (refused(errno.EPERM) if number in listed else ALLOW)


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architecture_ends_the_process(machine: str) -> None:
    assert verdict(machine, 0, architecture=0x40000003) == KILL


@pytest.mark.parametrize("machine", MACHINES)
@given(number=st.integers(HIGHEST + 1, 2**31 - 1) | st.integers(0x40000000, 0x40000000 + HIGHEST))
def test_what_came_later_and_the_other_numbers_of_x86_64_are_not_there(machine: str, number: int) -> None:
    assert verdict(machine, number) == refused(errno.ENOSYS)


def test_a_machine_without_a_filter_is_told() -> None:
    assert not guard.can_filter("riscv64")
    with pytest.raises(KeyError):
        guard.filter_program("riscv64")


# --- the numbers ----------------------------------------------------------------------------------

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


def known_to_libseccomp(name: str, machine: str) -> int:
    """Return the number that a machine of this kind has for the call, or a negative one."""
    resolve = ctypes.CDLL("libseccomp.so.2").seccomp_syscall_resolve_name_arch
    return int(resolve(ctypes.c_uint32(MACHINES[machine]), name.encode()))


def test_the_numbers_are_those_that_the_kernel_has() -> None:
    newer = []
    for name, numbers in CALLS.items():
        found = tuple(known_to_libseccomp(name, machine) for machine in MACHINES)
        if set(found) == {UNKNOWN}:
            newer.append(name)
            assert numbers[0] == numbers[1] >= ONE_NUMBER_FROM, name
        else:
            assert numbers == tuple(max(number, NONE) for number in found), name
    assert len(newer) < 10, "newer than the library"
