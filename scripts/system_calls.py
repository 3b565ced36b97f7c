"""Name the system calls of a newer kernel that nobody has looked at: ``system_calls.py HEADER ...``

A header is the kernel's ``asm/unistd_64.h`` of x86_64, or ``asm-generic/unistd.h`` (aarch64 up to Linux
6.10; from then on ``asm/unistd_64.h`` of aarch64). Each call in it is refused by
``grader/inside/system_calls.py``, or stands below as harmless, or is printed; so is one that has another
number there. Numbers above ``HIGHEST`` are refused unseen: raise it once nothing is printed any more.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grader.inside.system_calls import BY_ARGUMENT, FOR_THE_RUNNER, HIGHEST, NOT_THERE, REFUSED

_ALLOWED: Final = """
    # files, by names and descriptors: what a box may write is its own
    access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2
    fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fdatasync fstat fstatat fsync ftruncate
    getcwd getdents getdents64 lchown link linkat lseek lstat mkdir mkdirat newfstatat
    open openat openat2 pread64 preadv pwrite64 pwritev read readlink readlinkat readv rename renameat
    renameat2 rmdir sendfile stat statx symlink symlinkat sync_file_range sync_file_range2 truncate
    umask unlink unlinkat write writev fgetxattr flistxattr fremovexattr fsetxattr getxattr getxattrat
    lgetxattr listxattr listxattrat llistxattr lremovexattr lsetxattr removexattr removexattrat setxattr
    setxattrat
    # waiting; sockets cannot be made, so that none is there to use
    epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 poll ppoll
    pselect6 select signalfd signalfd4 timerfd_create timerfd_gettime timerfd_settime accept accept4
    bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg sendmsg
    sendto setsockopt shutdown
    # its own memory
    brk get_mempolicy map_shadow_stack mprotect mremap mseal msync munlock munlockall munmap pkey_alloc
    pkey_free pkey_mprotect shmdt
    # its own processes, signals and times; no process of the box may signal another's
    alarm clock_getres clock_gettime clock_nanosleep execve execveat exit exit_group fork
    get_robust_list getcpu getitimer getpgid getpgrp getpid getppid getpriority getrandom getrlimit
    getrusage getsid gettid gettimeofday ioprio_get kill nanosleep pause prctl restart_syscall rseq
    rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait
    sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
    sched_getscheduler sched_yield set_robust_list set_tid_address setitimer setpgid setrlimit setsid
    sigaltstack tgkill time timer_create timer_delete timer_getoverrun timer_gettime timer_settime times
    uname vfork wait4 waitid arch_prctl get_thread_area set_thread_area uprobe uretprobe
    # rights, of which it has none and gains none
    capget capset getegid geteuid getgid getgroups getresgid getresuid getuid landlock_add_rule
    landlock_create_ruleset landlock_restrict_self seccomp setfsgid setfsuid setgid setgroups setregid
    setresgid setresuid setreuid setuid
    # names without a call behind them
    afs_syscall arch_specific_syscall epoll_ctl_old epoll_wait_old get_kernel_syms getpmsg putpmsg
    query_module security syscalls tuxcall vserver
    """
ALLOWED: Final = frozenset(re.sub("#.*", "", _ALLOWED).split())
_DEFINED: Final = re.compile(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)", re.MULTILINE)
_ONLY_32_BITS: Final = range(403, 424)
"""Numbers that asm-generic/unistd.h has for machines of 32 bits only."""
_REFUSED: Final = {
    **REFUSED,
    **NOT_THERE,
    **FOR_THE_RUNNER,
    **{name: call.numbers for name, call in BY_ARGUMENT.items()},
}


def to_look_at(header: str) -> Iterator[str]:
    """Yield a line for each call that is neither refused nor allowed, or has another number here."""
    calls = {name: int(number) for name, number in _DEFINED.findall(header)}
    column = 0 if calls["read"] == 0 else 1
    for name, number in calls.items():
        if name in _REFUSED:
            if _REFUSED[name][column] != number:
                yield f"{name} is {number} here, and {_REFUSED[name][column]} in the table"
        elif name not in ALLOWED and number not in _ONLY_32_BITS:
            yield f"{name} ({number}) is neither refused nor allowed{_unseen(number)}"


def _unseen(number: int) -> str:
    return f"; refused unseen, above {HIGHEST}" if number > HIGHEST else ""


if __name__ == "__main__":
    lines = [f"{path}: {line}" for path in sys.argv[1:] for line in to_look_at(Path(path).read_text())]
    print("\n".join(lines) or "All calls of these headers were looked at.")
    sys.exit(1 if lines else 0)
