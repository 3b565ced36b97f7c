"""What a submission must not reach: other files, sockets, dangerous system calls, namespaces, privileges."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.inside.system_calls import HIGHEST
from grader.sandbox.base import Backend
from tests.grader.sandbox.boxes import Runner, numbers_of


@pytest.mark.promise("writing")
def test_nothing_but_the_scratch_folder_is_written(backend: Backend, tmp_path: Path) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            import lab
            box = os.path.dirname(os.path.dirname(lab.__file__))
            places = [*given, box, box + "/lab", box + "/inside", os.path.dirname(os.__file__)]
            for place in places:
                for path in (place, place + "/planted.py", place + "/__pycache__/planted.pyc"):
                    try:
                        with open(path, "ab") as file:
                            file.write(b"#")
                        found.append(path)
                    except OSError:
                        pass
            """, given=["/", "/etc", "/usr", "/dev", "/var/tmp", "/root", str(tmp_path)])  # fmt: skip
        assert found == []
        assert list(tmp_path.iterdir()) == []


@pytest.mark.promise("network")
def test_no_socket_of_any_family_opens(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            import socket
            for family in range(50):
                for kind in (1, 2, 3, 5):
                    for make in (socket.socket, socket.socketpair):
                        try:
                            make(family, kind)
                        except OSError:
                            continue
                        found.append([family, kind, make.__name__])
            """)  # fmt: skip
        assert found == []


DANGEROUS = """
    ptrace process_vm_readv bpf perf_event_open userfaultfd io_uring_setup keyctl add_key memfd_create unshare
    setns mount umount2 pivot_root chroot fsopen open_tree kexec_load init_module personality swapon reboot
    sethostname settimeofday syslog pidfd_getfd shmget msgget open_by_handle_at fanotify_init clone3
"""


@pytest.mark.promise("calls")
def test_dangerous_system_calls_are_refused(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.answers_to_calls(numbers_of(DANGEROUS))
        assert set(found.values()) <= {"EPERM", "ENOSYS"}, found


@pytest.mark.promise("calls")
def test_system_calls_that_nobody_has_looked_at_are_not_there(backend: Backend) -> None:
    """Whatever a newer kernel can do."""
    with Runner(backend) as runner:
        found = runner.answers_to_calls({str(number): number for number in range(HIGHEST + 1, HIGHEST + 100)})
        assert set(found.values()) == {"ENOSYS"}, found


@pytest.mark.promise("privileges")
def test_no_privilege_is_there_or_gained(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            head, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
            libc.capget(head, sets)
            ambient = [libc.prctl(47, 1, number, 0, 0) for number in range(41)]
            bounding = [libc.prctl(23, number, 0, 0, 0) for number in range(41)]
            found = [list(sets), libc.prctl(39, 0, 0, 0, 0), max(ambient), max(bounding)]
            for gain in (lambda: os.chroot("/"), lambda: os.mknod("device", 0o20600, os.makedev(1, 1))):
                try:
                    gain()
                    found.append("gained")
                except OSError:
                    pass
            """)  # fmt: skip
        # what is left there for a program to gain cannot be gained without new privileges; a process of a
        # user without rights may take nothing from it
        bounding = 0 if os.geteuid() == 0 or backend.name != "process" else 1
        assert found == [[0] * 6, 1, 0, bounding]
