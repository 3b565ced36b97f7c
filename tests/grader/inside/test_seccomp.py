"""The filter, run by an interpreter of the kernel's little machine: what it says to which call."""

from __future__ import annotations

import errno
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.inside import seccomp

ALLOW, KILL = 0x7FFF0000, 0x80000000
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
EVERYDAY = {
    "x86_64": {"read": 0, "write": 1, "openat": 257, "mmap": 9, "futex": 202, "getrandom": 318, "exit": 60},
    "aarch64": {"read": 63, "write": 64, "openat": 56, "mmap": 222, "futex": 98, "getrandom": 278},
}
CLONE = {"x86_64": 56, "aarch64": 220}
IOCTL = {"x86_64": 16, "aarch64": 29}
PRLIMIT = {"x86_64": 302, "aarch64": 261}


def verdict(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Run the filter over one call."""
    data = struct.pack(
        "<iIQ6Q", number, architecture or MACHINES[machine], 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6]
    )
    lines = list(struct.iter_unpack("<HBBI", seccomp.program(machine)))
    at, accumulator = 0, 0
    while True:
        code, yes, no, value = lines[at]
        at += 1
        match code:
            case 0x20:
                accumulator = int(struct.unpack_from("<I", data, value)[0])
            case 0x15:
                at += yes if accumulator == value else no
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
def test_what_python_needs_is_allowed(machine: str) -> None:
    for number in EVERYDAY[machine].values():
        assert verdict(machine, number) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_everything_on_the_list_is_refused(machine: str) -> None:
    column = list(MACHINES).index(machine)
    for numbers in seccomp._REFUSED.values():
        if numbers[column] >= 0:
            assert verdict(machine, numbers[column]) == refused(errno.EPERM)
    for numbers in seccomp._NOT_THERE.values():
        assert verdict(machine, numbers[column]) == refused(errno.ENOSYS)


@pytest.mark.parametrize("machine", MACHINES)
@given(number=st.integers(0, 600), first=st.integers(0, 2**64 - 1), second=st.integers(0, 2**64 - 1))
def test_only_the_list_is_refused(machine: str, number: int, first: int, second: int) -> None:
    column = list(MACHINES).index(machine)
    listed = {numbers[column] for numbers in (*seccomp._REFUSED.values(), *seccomp._NOT_THERE.values())}
    by_argument = (
        (number == CLONE[machine] and first & 0x7E020000)
        or (number == IOCTL[machine] and second & 0xFFFFFFFF in (0x5412, 0x541C))
        or (number == PRLIMIT[machine] and first & 0xFFFFFFFF)
    )
    allowed = verdict(machine, number, first, second) == ALLOW
    assert allowed == (number not in listed and not by_argument)


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architecture_ends_the_process(machine: str) -> None:
    assert verdict(machine, 0, architecture=0x40000003) == KILL


def test_the_other_numbers_of_x86_64_are_refused() -> None:
    assert verdict("x86_64", 0x40000000 + 41) == refused(errno.ENOSYS)


def test_a_machine_without_a_filter_is_told() -> None:
    assert not seccomp.supported("riscv64")
    with pytest.raises(KeyError):
        seccomp.program("riscv64")
