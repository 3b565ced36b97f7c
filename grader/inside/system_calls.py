"""The system calls that a box does without, by their numbers on x86_64 and on aarch64."""

from __future__ import annotations

import errno
from typing import Final, NamedTuple

Numbers = tuple[int, int]

NONE: Final = -1
HIGHEST: Final = 467
"""The last number that was looked at (Linux 6.16): what came later is not there for a box. Before it is
raised, ``scripts/system_calls.py`` tells from a newer kernel's headers what is to be looked at."""
REFUSED: Final[dict[str, Numbers]] = {
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
    "modify_ldt": (154, NONE),
    "iopl": (172, NONE),
    "ioperm": (173, NONE),
    "uselib": (134, NONE),
    "ustat": (136, NONE),
    "sysfs": (139, NONE),
    "_sysctl": (156, NONE),
    "create_module": (174, NONE),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "lsm_get_self_attr": (459, 459),
    "lsm_set_self_attr": (460, 460),
    "lsm_list_modules": (461, 461),
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
    "set_mempolicy_home_node": (450, 450),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "remap_file_pages": (216, 234),
    # ways by which one box could tell another something: what files and users have in common
    "flock": (73, 32),
    "inotify_init": (253, NONE),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "inotify_rm_watch": (255, 28),
    "fanotify_mark": (301, 263),
    "utime": (132, NONE),
    "utimes": (235, NONE),
    "futimesat": (261, NONE),
    "utimensat": (280, 88),
    "mincore": (27, 232),
    "cachestat": (451, 451),
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "splice": (275, 76),
    "tee": (276, 77),
    "vmsplice": (278, 75),
    "mlock": (149, 228),
    "mlock2": (325, 284),
    "mlockall": (151, 230),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "sysinfo": (99, 179),
    "membarrier": (324, 283),
    "sched_rr_get_interval": (148, 127),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "shmctl": (31, 195),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184),
    "mq_getsetattr": (245, 185),
    "io_setup": (206, 0),
    "io_destroy": (207, 1),
    "io_submit": (209, 2),
    "io_cancel": (210, 3),
    "io_getevents": (208, 4),
    "io_pgetevents": (333, 292),
}
NOT_THERE: Final[dict[str, Numbers]] = {
    # answered as an older kernel would, so that the C library takes its other way
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "futex_waitv": (449, 449),
    "futex_wake": (454, 454),
    "futex_wait": (455, 455),
    "futex_requeue": (456, 456),
}
FOR_THE_RUNNER: Final[dict[str, Numbers]] = {
    # refused to its children: the kernel numbers all nameless pipes of the machine in one row, and counts the
    # memory of all pipes by user
    "pipe": (22, NONE),
    "pipe2": (293, 59),
    "mknod": (133, NONE),
    "mknodat": (259, 33),
    "pidfd_open": (434, 434),
}


class Among(NamedTuple):
    """An argument's values, from the first to the last."""

    first: int
    last: int


class ByArgument(NamedTuple):
    """A call that is refused where an argument is among the values, or where it is not."""

    numbers: Numbers
    place: int
    """Which argument, from 0; its low half counts."""
    values: tuple[Among, ...]
    refused: bool
    """Whether these values are refused, or all others."""
    error: int


class ByBits(NamedTuple):
    """A call that is refused where an argument has any of the bits, or where it has none."""

    numbers: Numbers
    place: int
    bits: int
    refused: bool
    error: int


def _each(*values: int) -> tuple[Among, ...]:
    return tuple(Among(value, value) for value in values)


_NAMESPACES: Final = 0x7E020000
"""CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET."""
_TERMINAL_AND_FLAGS: Final = _each(0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, TCGETS2: what Python asks of a descriptor."""
_DUPLICATES_AND_FLAGS: Final = (Among(0, 4), *_each(1030))
"""F_DUPFD to F_SETFL, F_DUPFD_CLOEXEC: without locks, leases, owners, notifications, hints and sizes."""
_CACHE_ADVICE: Final = (*_each(12), Among(20, 25))
"""MADV_MERGEABLE; MADV_COLD to MADV_COLLAPSE."""
_PIDFD: Final = 0x1000
"""CLONE_PIDFD: the kernel numbers the descriptors of all processes of the machine in one row."""
_SHARED_POOLS: Final = 0x42000
"""MAP_LOCKED, MAP_HUGETLB: large pages are the machine's, and what is locked stays in the cache."""
_PRIVATE_FUTEX: Final = 128
"""Without it a futex is one for all that map the same file, as all boxes do with Python's."""

BY_ARGUMENT: Final[dict[str, ByArgument | ByBits]] = {
    "clone": ByBits((56, 220), 0, _NAMESPACES | _PIDFD, True, errno.EPERM),
    "mmap": ByBits((9, 222), 3, _SHARED_POOLS, True, errno.ENOMEM),
    "ioctl": ByArgument((16, 29), 1, _TERMINAL_AND_FLAGS, False, errno.ENOTTY),
    "fcntl": ByArgument((72, 25), 1, _DUPLICATES_AND_FLAGS, False, errno.EPERM),
    "prlimit64": ByArgument((302, 261), 0, _each(0), False, errno.EPERM),
    "madvise": ByArgument((28, 233), 2, _CACHE_ADVICE, True, errno.EPERM),
    # the C library takes this answer for "look again", which is always right
    "futex": ByBits((202, 98), 1, _PRIVATE_FUTEX, False, errno.EAGAIN),
}
