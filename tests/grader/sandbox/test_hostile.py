"""Every promise of a sandbox, and the programs that try to break it, in every back end that makes it."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from grader.errors import BoxTimeout
from grader.sandbox.base import Backend
from grader.sandbox.contents import ENVIRONMENT
from grader.sandbox.promises import PROMISES
from tests.grader.sandbox.boxes import MIB, PATIENCE, Runner, limits


@pytest.fixture
def secret() -> str:
    return f"secret-{secrets.token_hex(8)}"


@pytest.fixture
def bystander(secret: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the grader's own user, with a secret on its command line."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", secret])
    yield process
    process.kill()
    process.wait()


def named(name: str) -> list[psutil.Process]:
    """The processes of this machine, in boxes or not, that have given themselves that name."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.name() == name and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def until(condition: object, seconds: float = PATIENCE) -> None:
    """Wait for something to come true."""
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.01)


def test_every_promise_has_a_hostile_program(request: pytest.FixtureRequest) -> None:
    module = request.module
    tried = {
        mark.args[0]
        for name in dir(module)
        for mark in getattr(getattr(module, name), "pytestmark", [])
        if mark.name == "promise"
    }
    assert tried == {promise.name for promise in PROMISES}


# --- secrets --------------------------------------------------------------------------------------

READ_EVERYTHING = """
for start in places:
    for folder, folders, files in os.walk(start):
        folders[:] = [name for name in folders if name not in ("proc", "sys")] if folder == "/" else folders
        for name in files:
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    if os.path.isfile(path) and secret in file.read(65536):
                        found.append(path)
            except OSError:
                pass
"""


@pytest.mark.promise("files")
def test_no_file_of_the_machine_is_read(backend: Backend, secret: str, tmp_path: Path) -> None:
    place = tmp_path / "reference.py"
    place.write_text(secret)
    with Runner(backend) as runner:
        half = len(secret) // 2
        code = f"secret = (first + second).encode()\n{READ_EVERYTHING}"
        places = ["/", str(tmp_path), "..", str(Path.home()), str(Path(__file__).parents[3])]
        assert runner.attack(code, first=secret[:half], second=secret[half:], places=places) == []


@pytest.mark.promise("files")
def test_neither_the_reference_nor_the_grader_nor_any_package_is_there(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            sys.path += ["/usr/lib/python3/dist-packages", "/usr/local/lib/python3.11/site-packages", *paths]
            for name in ("reference", "grader", "yaml", "pytest", "docker", "psutil", "pip", "lab.cli"):
                try:
                    __import__(name)
                except ImportError:
                    continue
                found.append(name)
            """, paths=[path for path in sys.path if path])  # fmt: skip
        assert found == []


@pytest.mark.promise("environment")
def test_the_environment_is_the_runners_own(
    backend: Backend, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_SECRET", secret)
    with Runner(backend) as runner:
        found = runner.attack("found = dict(os.environ)")
        assert found == ENVIRONMENT
        everywhere = """
            for number in [*range(1, 4), os.getpid(), os.getppid(), "self"]:
                try:
                    found.append(open(f"/proc/{number}/environ", errors="replace").read())
                except OSError:
                    pass
            """
        assert secret not in str(runner.attack(everywhere))


@pytest.mark.promise("sight")
def test_no_other_process_is_seen(backend: Backend, secret: str, bystander: subprocess.Popen[bytes]) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            for number in [*range(1, 200), other]:
                for name in ("cmdline", "status", "maps"):
                    try:
                        text = open(f"/proc/{number}/{name}", errors="replace").read()
                    except OSError:
                        continue
                    found.append(text)
            """, other=bystander.pid)  # fmt: skip
        assert secret not in str(found)
        assert "pytest" not in str(found)


@pytest.mark.promise("signals")
def test_no_other_process_is_signalled(backend: Backend, bystander: subprocess.Popen[bytes]) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            for number in victims:
                try:
                    os.kill(number, 9)
                except OSError:
                    continue
                found.append(number)
            """, victims=[bystander.pid])  # fmt: skip
        assert found == []
        assert bystander.poll() is None


def test_no_descriptor_of_the_grader_is_inherited(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack("""
            import stat
            for number in range(3, 1024):
                try:
                    kind = os.fstat(number).st_mode
                except OSError:
                    continue
                if not stat.S_ISFIFO(kind):
                    found.append([number, kind])
            """)  # fmt: skip
        assert found == []


# --- escape ---------------------------------------------------------------------------------------


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
        found = runner.attack("""
            import ctypes, errno
            libc = ctypes.CDLL(None, use_errno=True)
            for name, number in numbers.items():
                ctypes.set_errno(0)
                answer = libc.syscall(number, 0, 0, 0, 0, 0, 0)
                found.append([name, errno.errorcode.get(ctypes.get_errno(), str(answer))])
            """, numbers=NUMBERS[os.uname().machine])  # fmt: skip
        assert {answer for _, answer in found} <= {"EPERM", "ENOSYS"}, found


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
        assert found == [[0] * 6, 1, 0, 0]


# --- exhaustion -----------------------------------------------------------------------------------


def test_memory_of_one_process_ends_as_what_it_is(backend: Backend) -> None:
    with Runner(backend) as runner:
        reply = runner.claim("found = [bytearray(16 * 2**20) for _ in range(200)]")
        assert reply["outcome"] == "out-of-memory"


@pytest.mark.promise("memory")
def test_memory_of_many_processes_is_capped_together(backend: Backend) -> None:
    with Runner(backend) as runner:
        assert runner.box.memory_kills() == 0
        runner.claim("""
            for _ in range(8):
                if not os.fork():
                    os.setsid()
                    hoard = [b"x" * 2**20 for _ in range(100)]
                    time.sleep(20)
            try:
                while True:
                    found.append(os.waitstatus_to_exitcode(os.wait()[1]))
                    break
            except ChildProcessError:
                pass
            """)  # fmt: skip
        assert runner.box.memory_kills() > 0


@pytest.mark.promise("processes")
def test_processes_are_capped(backend: Backend) -> None:
    with Runner(backend) as runner:
        (born,) = runner.attack("""
            born = 0
            try:
                while born < 500:
                    if not os.fork():
                        time.sleep(600)
                    born += 1
            except OSError:
                pass
            found = [born]
            """)  # fmt: skip
        assert 0 < born <= runner.limits.processes


@pytest.mark.promise("disk")
def test_the_disk_is_capped(backend: Backend) -> None:
    with Runner(backend) as runner:
        (written,) = runner.attack("""
            written = 0
            block = bytes(65536)
            for number in range(100):
                try:
                    with open(f"file{number}", "wb", buffering=0) as file:
                        for _ in range(15):
                            written += file.write(block)
                except OSError:
                    break
            found = [written]
            """)  # fmt: skip
        assert 0 < written <= runner.limits.disk_bytes


@pytest.mark.promise("inodes")
def test_the_number_of_files_is_capped(backend: Backend) -> None:
    with Runner(backend, limits(memory_bytes=64 * MIB)) as runner:
        runner.start("""
            try:
                for number in range(200_000):
                    os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY))
                found = ["endless"]
            except OSError:
                found = ["capped"]
            """)  # fmt: skip
        reply = runner.box.read(deadline=time.monotonic() + PATIENCE)
        assert b"capped" in reply or runner.box.memory_kills() > 0


def test_one_file_is_capped(backend: Backend) -> None:
    with Runner(backend) as runner:
        reply = runner.claim("""
            try:
                with open("big", "wb") as file:
                    file.truncate(10 * 2**20)
                found = ["big"]
            except OSError:
                found = ["capped"]
            """)  # fmt: skip
        assert "capped" in reply["output"]


# --- survivors, and boxes that do not want to end ---------------------------------------------------

HIDE = """
import ctypes, signal
def hide(name):
    ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
read_end, write_end = os.pipe()
if not os.fork():
    os.setsid()
    if not os.fork():
        os.setsid()
        hide(name)
        os.write(write_end, b"1")
        time.sleep(600)
    os._exit(0)
os.read(read_end, 1)
"""


def hidden_name() -> str:
    return f"hid-{secrets.token_hex(5)}"


@pytest.mark.promise("survivors")
def test_nothing_outlives_its_batch(backend: Backend) -> None:
    name = hidden_name()
    with Runner(backend) as runner:
        assert runner.attack(HIDE, name=name) == []
        assert named(name) == []


@pytest.mark.promise("survivors")
def test_nothing_outlives_a_box_that_is_closed_in_the_middle(backend: Backend) -> None:
    name = hidden_name()
    with Runner(backend) as runner:
        runner.start(f"{HIDE}\ntime.sleep(600)", name=name)
        until(lambda: named(name))
        runner.close()
        assert named(name) == []


@pytest.mark.promise("survivors")
def test_nothing_outlives_a_runner_that_the_submission_ended(backend: Backend) -> None:
    name = hidden_name()
    with Runner(backend) as runner:
        runner.start(f"{HIDE}\nos.kill(os.getppid(), 9)\ntime.sleep(600)", name=name)
        until(lambda: runner.box.read(deadline=time.monotonic() + PATIENCE) == b"")
        runner.close()
        assert named(name) == []


@pytest.mark.promise("deadlines")
@pytest.mark.parametrize("signal_", [signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM])
def test_signals_to_process_1_and_the_runner_do_not_hold_up_the_end(backend: Backend, signal_: int) -> None:
    with Runner(backend) as runner:
        code = "for victim in victims or [os.getppid()]:\n    os.kill(victim, number)\ntime.sleep(600)"
        victims = [] if backend.name == "process" else [1]
        runner.start(code, number=int(signal_), victims=victims)
        with contextlib.suppress(BoxTimeout):
            assert b"done" not in runner.box.read(deadline=time.monotonic() + 0.5)
        runner.close()


@pytest.mark.promise("deadlines")
def test_a_box_that_floods_is_ended_though_nobody_reads(backend: Backend) -> None:
    with Runner(backend) as runner:
        runner.start("""
            for number in range(0, 64):
                if not os.fork():
                    while True:
                        try:
                            os.write(number, b"x" * 65536)
                        except OSError:
                            break
            time.sleep(600)
            """)  # fmt: skip
        time.sleep(0.5)
        runner.box.kill()
        runner.box.kill()
        assert runner.close() is runner.close()


@pytest.mark.promise("deadlines")
def test_a_box_that_never_reads_is_given_up(backend: Backend) -> None:
    with Runner(backend) as runner:
        runner.start("import signal\nos.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(600)")
        time.sleep(0.3)
        with pytest.raises(BoxTimeout):
            runner.box.write(bytes(32 * MIB), deadline=time.monotonic() + 1)
        runner.close()


def test_a_silent_box_is_given_up(backend: Backend) -> None:
    with Runner(backend) as runner, pytest.raises(BoxTimeout):
        runner.box.read(deadline=time.monotonic() + 0.05)


GRADER = """
import time
from tests.grader.sandbox.boxes import Runner
from grader.sandbox.registry import BACKENDS
runner = Runner(BACKENDS[{backend!r}]())
runner.start({code!r}, name={name!r})
print("open", flush=True)
time.sleep(600)
"""

NEXT_GRADER = """
from tests.grader.sandbox.boxes import Runner
from grader.sandbox.registry import BACKENDS
Runner(BACKENDS[{backend!r}]()).close()
"""


@pytest.mark.promise("survivors")
def test_nothing_outlives_a_grader_that_was_killed(backend: Backend) -> None:
    name = hidden_name()
    code = f"{HIDE}\ntime.sleep(600)"
    program = GRADER.format(backend=backend.name, code=code, name=name)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as grader:
        assert grader.stdout
        assert grader.stdout.readline() == b"open\n"
        until(lambda: named(name))
        grader.kill()
    subprocess.run([sys.executable, "-c", NEXT_GRADER.format(backend=backend.name)], check=True)
    until(lambda: not named(name))
