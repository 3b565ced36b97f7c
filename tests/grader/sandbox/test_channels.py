"""What two boxes have in common must not carry a word: files, users, the kernel's counters."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.sandbox.base import Backend
from tests.grader.sandbox.boxes import Runner, numbers_of

TRY = """
import ctypes, fcntl, lab, mmap
def tell(name, act):
    try:
        act()
    except (OSError, AttributeError):
        return
    found.append(name)
shared = open(lab.__file__, "rb", buffering=0)
"""
"""A file that all boxes have; what can be done with it goes into ``found``."""


@pytest.mark.promise("silence")
def test_no_lock_lease_owner_or_hint_is_set_or_asked_for(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack(f"""{TRY}
for place in (shared, open("/dev/null", "wb")):
    tell("flock", lambda: fcntl.flock(place, fcntl.LOCK_SH | fcntl.LOCK_NB))
    tell("lockf", lambda: fcntl.lockf(place, fcntl.LOCK_SH | fcntl.LOCK_NB))
    for command in [*range(5, 64), *range(1024, 1030), *range(1031, 1064)]:
        for argument in (0, 1, bytes(64)):
            tell(f"fcntl {{command}}", lambda: fcntl.fcntl(place, command, argument))
""")
        assert found == []


@pytest.mark.promise("silence")
def test_no_time_is_set(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack(f"""{TRY}
tell("null", lambda: os.utime("/dev/null"))
tell("null's descriptor", lambda: os.utime(os.open("/dev/null", os.O_WRONLY)))
tell("library", lambda: os.utime(lab.__file__))
before = os.stat(lab.__file__).st_atime_ns
shared.read()
if os.stat(lab.__file__).st_atime_ns != before:
    found.append("reading")
""")
        assert found == []


@pytest.mark.promise("silence")
def test_the_cache_of_a_file_is_not_asked_about_nor_emptied(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack(f"""{TRY}
view = mmap.mmap(shared.fileno(), 0, prot=mmap.PROT_READ)
tell("fadvise", lambda: os.posix_fadvise(shared.fileno(), 0, 0, os.POSIX_FADV_DONTNEED))
tell("nowait", lambda: os.preadv(shared.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT))
for advice in (12, *range(20, 26)):
    tell(f"madvise {{advice}}", lambda: view.madvise(advice))
""")
        assert found == []


@pytest.mark.promise("silence")
def test_no_count_of_the_whole_machine_is_read(backend: Backend) -> None:
    files = ["stat", "loadavg", "meminfo", "vmstat", "uptime", "locks", "sys/fs/file-nr", "sys/fs/inode-nr"]
    files += ["cpuinfo", "partitions", "crypto", "consoles"]
    files += ["pressure/cpu", "interrupts", "softirqs", "zoneinfo", "slabinfo", "schedstat", "diskstats"]
    with Runner(backend) as runner:
        found = runner.attack(f"""{TRY}
tell("statvfs", lambda: os.statvfs("/"))
tell("pipe", os.pipe)
tell("named pipe", lambda: os.mkfifo("pipe"))
for path in [f"/proc/{{name}}" for name in files]:
    try:
        if open(path).read():
            found.append(path)
    except OSError:
        pass
for folder in ("/sys/kernel", "/sys/devices", "/sys/fs", "/sys/block"):
    tell(folder, lambda: os.listdir(folder))
libc = ctypes.CDLL(None)
if libc.sysinfo(ctypes.create_string_buffer(256)) == 0:
    found.append("sysinfo")
""", files=files)  # fmt: skip
        assert found == []


@pytest.mark.promise("silence")
def test_its_pipes_are_numbered_by_the_box_alone(backend: Backend) -> None:
    """Two boxes hold pipes of the same numbers, whatever else makes pipes, and no name leads there."""
    look = """
        found += [[*os.listdir()], len(os.read(0, 1))]
        for descriptor in range(256):
            try:
                told = os.fstat(descriptor)
            except OSError:
                continue
            found.append([descriptor, told.st_ino, told.st_dev == os.stat(".").st_dev])
        """
    with Runner(backend) as one, Runner(backend) as other:
        for _ in range(2):
            seen = one.attack(look)
            for end in os.pipe():
                os.close(end)
            assert other.attack(look) == seen
            names, read, *pipes = seen
            assert (names, read) == ([], 0)
            assert [(descriptor, own) for descriptor, _, own in pipes] == [(n, True) for n in (0, 1, 2, 8, 9)]


QUEUES = """
    flock inotify_init inotify_init1 inotify_add_watch fanotify_init fanotify_mark mincore cachestat
    readahead preadv2 mlock mlockall sync syncfs statfs fstatfs sysinfo membarrier shmget shmat shmctl
    semget semop semctl msgget msgsnd msgrcv msgctl mq_open mq_unlink io_setup io_submit io_getevents
    io_uring_setup keyctl add_key memfd_create splice tee vmsplice statmount listmount futex_wait futex_waitv
    pipe2 pidfd_open sched_rr_get_interval
"""


@pytest.mark.promise("silence")
def test_queues_counters_and_notifications_are_refused(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.answers_to_calls(numbers_of(QUEUES))
        assert set(found.values()) <= {"EPERM", "ENOSYS"}, found


@pytest.mark.promise("silence")
def test_no_process_is_numbered_and_no_pool_of_pages_drained(backend: Backend) -> None:
    """A descriptor of a process has a number that counts all processes of the machine."""
    with Runner(backend) as runner:
        found = runner.attack("""
            import ctypes, mmap
            libc = ctypes.CDLL(None, use_errno=True)
            number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
            place = ctypes.c_int(-1)
            born = libc.syscall(number, 0x1000 | 17, 0, ctypes.byref(place), 0, 0, 0)
            if born == 0:
                os._exit(0)
            found.append(place.value)
            for flags in (0x40000, 0x2000):  # MAP_HUGETLB, MAP_LOCKED
                try:
                    found.append(len(mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANON | flags)))
                except OSError:
                    pass
            """)  # fmt: skip
        assert found == [-1]


@pytest.mark.promise("traces")
def test_all_that_a_box_reads_lies_in_memory(backend: Backend) -> None:
    """What is asked of a disk the kernel remembers, for the next box to find by the time it takes."""
    with Runner(backend) as runner:
        found = runner.attack("""
            import lab
            found = [os.stat(path).st_dev for path in ("/", os.__file__, sys.executable, lab.__file__)]
            """)  # fmt: skip
        assert set(found) == {Path("/dev/shm").stat().st_dev}
