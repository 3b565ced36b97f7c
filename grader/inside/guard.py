"""What a box forbids from within: system calls, files and the memory of others.

Theory of operation: no line of a submission has come in yet, so the process can still be trusted
to lock itself in, and none of it can be undone: limits are lowered with their ceilings, the rest is
one-way by the kernel's design. Whatever is asked for and cannot be done raises, and no runner
starts. Back ends that do the same from outside ask for less.

Landlock: a process shuts itself out of all files but a few, for good; no rights are needed.

Goes into the box with the runner, which confines itself; each of its children then stands apart.
Newer kernels also cut off TCP and signals to processes that are not as confined. The numbers are those of
the kernel's include/uapi/linux/landlock.h.

The system calls that no submission needs, refused: a filter for the kernel, written by hand.

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
lists them all. Numbers above the last that was looked at (those of x32 are among them) are answered as a
kernel does that has no such call. Architectures other than the machine's own are ended at once: their
numbers differ.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import stat
import struct
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

from .system_calls import BY_ARGUMENT, FOR_THE_RUNNER, HIGHEST, NONE, NOT_THERE, REFUSED, ByArgument, ByBits

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_ASK_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights over files a version knows; from version 5 on, 16."""
_NET, _SCOPES, _SIGNAL_SCOPE = 0b11, 0b11, 0b10
_KNOWS_SCOPES: Final = 6
_EXECUTE, _WRITE, _READ, _LIST, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_MAKE_BLOCK_DEVICE: Final = 1 << 11
LIBC: Final = ctypes.CDLL(None, use_errno=True)
"""Loaded once: each child of the runner calls it half a dozen times."""
_REFER, _DEVICES = 1 << 13, 1 << 15 | 1 << 6 | _MAKE_BLOCK_DEVICE


def landlock_version() -> int:
    """Return the version of Landlock that the kernel speaks; 0 for none."""
    answer = LIBC.syscall(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)
    return max(0, int(answer))


def stand_apart() -> None:
    """Keep this process and all that it starts from tracing any other, or signalling one (version 6).

    That includes the process that it was forked from, and lasts. The process must be barred from new
    privileges; where the kernel cannot do this, nothing happens.
    """
    if sys.platform != "linux":
        return
    try:
        if landlock_version() >= _KNOWS_SCOPES:
            _restrict(0, _SIGNAL_SCOPE)
        elif landlock_version():
            _restrict(_MAKE_BLOCK_DEVICE, 0)  # it has to be something that nobody may do anyway
    except OSError:
        return


def _restrict(rights: int, scopes: int) -> None:
    """Take these rights and scopes from this process, whatever the path. Raises OSError."""
    attributes = struct.pack("=QQQ", rights, 0, scopes)
    rules = _call(_CREATE, attributes, ctypes.c_size_t(24 if scopes else 8), 0)
    try:
        _call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def confine(read: Iterable[str], write: Iterable[str]) -> None:
    """Leave this process and its children only those files and folders, with all that is in them.

    Paths that are not there are left out. Raises OSError.
    """
    known = landlock_version()
    handled = (1 << _FILE_RIGHTS.get(known, 16)) - 1
    attributes = struct.pack("=QQQ", handled, _NET, _SCOPES)
    size = 8 if known < 4 else 16 if known < 6 else 24
    rules = _call(_CREATE, attributes, ctypes.c_size_t(size), 0)
    try:
        _allow(rules, read, (_EXECUTE | _READ | _LIST) & handled)
        _allow(rules, write, handled & ~(_EXECUTE | _REFER | _DEVICES))
        _call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, paths: Iterable[str], rights: int) -> None:
    for path in paths:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            folder = stat.S_ISDIR(os.fstat(place).st_mode)
            only = rights if folder else rights & (_EXECUTE | _READ | _WRITE | _TRUNCATE)
            _call(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", only, place), 0)
        finally:
            os.close(place)


def _call(*arguments: object) -> int:
    answer = int(LIBC.syscall(*arguments))
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"Landlock: {os.strerror(number)}")
    return answer


_X86_64, _AARCH64 = 0xC000003E, 0xC00000B7
_ARCHITECTURES: Final = {"x86_64": (0, _X86_64), "aarch64": (1, _AARCH64)}

_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_AT_LEAST, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Their offsets in struct seccomp_data; for the arguments, that of the low half (little-endian)."""
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000

_Instruction = tuple[int, int, int, int]


def can_filter(machine: str | None = None) -> bool:
    """Tell whether there is a filter for the architecture (by default for this machine's)."""
    return (machine or os.uname().machine) in _ARCHITECTURES


def filter_program(machine: str | None = None) -> bytes:
    """Return the filter for the architecture (by default for this machine's), as the kernel reads it.

    Raises KeyError where there is none.
    """
    column, architecture = _ARCHITECTURES[machine or os.uname().machine]
    lines = _beginning(architecture)
    lines += [(_JUMP_ABOVE, 0, 1, HIGHEST), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
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


_SET_DEATH_SIGNAL, _SET_DUMPABLE, _DROP_BOUND, _SET_SECCOMP = 1, 4, 24, 22
_SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 36, 38
_FILTER: Final = 2
_CAPABILITIES_VERSION: Final = 0x20080522
_LAST_CAPABILITY: Final = 63


def lock_in(rules: Mapping[str, Any]) -> None:
    """Lock this process in.

    ``forget``: names of the environment; ``limits``: ceilings by the name of the resource ("NPROC");
    ``parent``: the process to die with;
    ``no_capabilities``; ``no_new_privileges``; ``files``: the only files left, as
    {"read": [path, ...], "write": [path, ...]}; ``hide``: the names in / of which nothing but ``read``
    is left, where Landlock is there; ``filter``: refuse what ``system_calls.py`` lists
    (both need ``no_new_privileges``).
    """
    for name in rules.get("forget", ()):
        os.environ.pop(name, None)
    for name, value in rules.get("limits", {}).items():
        _limit(getattr(resource, f"RLIMIT_{name}"), value)
    if "parent" in rules:
        _die_with(rules["parent"])
    if rules.get("no_capabilities"):
        _drop_capabilities()
    if rules.get("no_new_privileges"):
        _control(_SET_NO_NEW_PRIVILEGES, 1)
    _leave_files(rules)
    if rules.get("filter"):
        load_filter(filter_program())


def make_undumpable() -> None:
    """Keep other processes of the same user out of this one's memory."""
    _control(_SET_DUMPABLE, 0)


def become_subreaper() -> None:
    """Become the parent of every orphan below this process."""
    _control(_SET_SUBREAPER, 1)


def _limit(which: int, value: int) -> None:
    _, ceiling = resource.getrlimit(which)
    value = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
    resource.setrlimit(which, (value, value))


def _die_with(parent: int) -> None:
    """Ask to be killed when the parent ends, then check whether it has ended already."""
    _control(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def _drop_capabilities() -> None:
    import ctypes
    import struct

    for capability in range(_LAST_CAPABILITY + 1):
        LIBC.prctl(_DROP_BOUND, capability, 0, 0, 0)  # those that the kernel does not know: an error
    if LIBC.capset(struct.pack("=Ii", _CAPABILITIES_VERSION, 0), bytes(24)):
        raise OSError(ctypes.get_errno(), "cannot drop the capabilities")


def _leave_files(rules: Mapping[str, Any]) -> None:
    if "files" in rules:
        confine(**rules["files"])
    if "hide" in rules and landlock_version():
        hide = rules["hide"]
        left = [f"/{name}" for name in os.listdir("/") if name not in hide["names"]]  # noqa: PTH208
        confine([*left, *hide["read"]], hide["write"])


def load_filter(program: bytes) -> None:
    """Have the kernel run a filter at every system call from now on. Raises OSError."""
    import ctypes
    import struct

    code = ctypes.create_string_buffer(program)
    lines = ctypes.create_string_buffer(struct.pack("HP", len(program) // 8, ctypes.addressof(code)))
    _control(_SET_SECCOMP, _FILTER, ctypes.addressof(lines))


def _control(option: int, *values: int) -> None:
    import ctypes

    words = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    if LIBC.prctl(option, *words):
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")
