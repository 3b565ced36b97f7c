"""What a submission must not reach: other files, sockets, dangerous system calls, namespaces, privileges."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.sandbox.base import Backend
from tests.grader.sandbox.boxes import Runner


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


NUMBERS = {
    "x86_64": {
        "ptrace": 101, "process_vm_readv": 310, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323,
        "io_uring_setup": 425, "keyctl": 250, "add_key": 248, "memfd_create": 319, "unshare": 272,
        "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "fsopen": 430,
        "open_tree": 428, "kexec_load": 246, "init_module": 175, "personality": 135, "swapon": 167,
        "reboot": 169, "sethostname": 170, "settimeofday": 164, "syslog": 103, "pidfd_getfd": 438,
        "shmget": 29, "msgget": 68, "open_by_handle_at": 304, "fanotify_init": 300, "clone3": 435,
    },
    "aarch64": {
        "ptrace": 117, "process_vm_readv": 270, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282,
        "io_uring_setup": 425, "keyctl": 219, "add_key": 217, "memfd_create": 279, "unshare": 97,
        "setns": 268, "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "fsopen": 430,
        "open_tree": 428, "kexec_load": 104, "init_module": 105, "personality": 92, "swapon": 224,
        "reboot": 142, "sethostname": 161, "settimeofday": 170, "syslog": 116, "pidfd_getfd": 438,
        "shmget": 194, "msgget": 186, "open_by_handle_at": 265, "fanotify_init": 262, "clone3": 435,
    },
}  # fmt: skip


@pytest.mark.promise("calls")
def test_dangerous_system_calls_are_refused(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.answers_to_calls(NUMBERS[os.uname().machine])
        assert set(found.values()) <= {"EPERM", "ENOSYS"}, found


@pytest.mark.promise("calls")
def test_no_process_is_born_in_namespaces_of_its_own(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
            for kind in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
                born = libc.syscall(number, kind | 17, 0, 0, 0, 0)
                if born == 0:
                    os._exit(0)
                if born > 0:
                    found.append(kind)
            """)  # fmt: skip
        assert found == []


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
