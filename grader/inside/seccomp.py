"""The system calls that no submission needs, refused: a filter for the kernel, written by hand.

A filter is a program of classic BPF: eight bytes an instruction, run at every system call over the
call's number, architecture and arguments. It goes into a box in two ways: bubblewrap loads it
(``--seccomp``), and where nobody else does, the runner loads it before it listens. It stacks on
whatever filter is there; a call is as forbidden as the strictest says.

Refused are: sockets of every family, other processes' memory (ptrace, process_vm, pidfd_getfd), their
priorities, limits, and signals by roundabout ways, mounts, namespaces, keys, BPF, performance counters,
io_uring, userfaultfd, memory files and System V shared memory (they escape per-process limits),
modules, clocks, and what only an administrator uses. Architectures other than the machine's own are
ended at once: their numbers differ.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import Final

_X86_64, _AARCH64 = 0xC000003E, 0xC00000B7
_ARCHITECTURES: Final = {"x86_64": (0, _X86_64), "aarch64": (1, _AARCH64)}

_NONE: Final = -1
_REFUSED: Final[dict[str, tuple[int, int]]] = {
    # numbers on x86_64 and on aarch64
    "socket": (41, 198),
    "socketpair": (53, 199),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_send_signal": (424, 424),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "tkill": (200, 130),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "unshare": (272, 97),
    "setns": (308, 268),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "personality": (135, 92),
    "modify_ldt": (154, _NONE),
    "iopl": (172, _NONE),
    "ioperm": (173, _NONE),
    "uselib": (134, _NONE),
    "ustat": (136, _NONE),
    "sysfs": (139, _NONE),
    "_sysctl": (156, _NONE),
    "create_module": (174, _NONE),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "nfsservctl": (180, 42),
    "lookup_dcookie": (212, 18),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "remap_file_pages": (216, 234),
}
_NOT_THERE: Final[dict[str, tuple[int, int]]] = {
    # answered as an older kernel would, so that the C library takes its other way
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
_CLONE: Final = (56, 220)
_IOCTL: Final = (16, 29)
_PRLIMIT: Final = (302, 261)
_NAMESPACES: Final = 0x7E020000
"""CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET."""
_TYPE_INTO_TERMINAL: Final = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: they type into the terminal of whoever started the box."""
_X32: Final = 0x40000000

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
"""Where they stand in struct seccomp_data; of the arguments, the low half (little-endian)."""
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000

_Instruction = tuple[int, int, int, int]


def supported(machine: str | None = None) -> bool:
    """Tell whether there is a filter for the architecture (by default for this machine's)."""
    return (machine or platform.machine()) in _ARCHITECTURES


def program(machine: str | None = None) -> bytes:
    """Return the filter for the architecture (by default for this machine's), as the kernel reads it.

    Raises KeyError where there is none.
    """
    column, architecture = _ARCHITECTURES[machine or platform.machine()]
    lines: list[_Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if architecture == _X86_64:
        lines += _answer((_JUMP_AT_LEAST, _X32), errno.ENOSYS)
    for numbers in _NOT_THERE.values():
        lines += _answer((_JUMP_EQUAL, numbers[column]), errno.ENOSYS)
    lines += _answer_any([numbers[column] for numbers in _REFUSED.values()], errno.EPERM)
    lines += _look_at(_CLONE[column], _FIRST, [(_JUMP_BITS, _NAMESPACES)])
    lines += _look_at(_IOCTL[column], _SECOND, [(_JUMP_EQUAL, number) for number in _TYPE_INTO_TERMINAL])
    lines += _look_at(_PRLIMIT[column], _FIRST, [(_JUMP_AT_LEAST, 1)])  # of another process than itself
    lines.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("<HBBI", *line) for line in lines)


def _answer(test: tuple[int, int], error: int) -> list[_Instruction]:
    code, value = test
    return [(code, 0, 1, value), (_RETURN, 0, 0, _ERRNO | error)]


def _answer_any(numbers: list[int], error: int) -> list[_Instruction]:
    """One comparison a number; the jumps lead to one return at the end."""
    there = sorted(number for number in numbers if number != _NONE)
    tests: list[_Instruction] = [
        (_JUMP_EQUAL, len(there) - place, 0, number) for place, number in enumerate(there)
    ]
    skip = (_JUMP_AT_LEAST, 1, 1, 0)  # both ways lead past the return
    return [*tests, skip, (_RETURN, 0, 0, _ERRNO | error)]


def _look_at(number: int, argument: int, tests: list[tuple[int, int]]) -> list[_Instruction]:
    """Refuse one call where its argument passes one of the tests; the number is loaded again after."""
    body: list[_Instruction] = [(_LOAD, 0, 0, argument)]
    for test in tests:
        body += _answer(test, errno.EPERM)
    return [(_JUMP_EQUAL, 0, len(body) + 1, number), *body, (_LOAD, 0, 0, _NUMBER)]
