"""What a submission must not use up: memory, processes, disk, files."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from grader.sandbox.base import Backend
from tests.grader.sandbox.boxes import MIB, PATIENCE, Runner, limits
from tests.grader.sandbox.test_survivors import HIDE, hidden_name, named, until


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
                    wait(20)
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
                        wait(600)
                    born += 1
            except OSError:
                pass
            found = [born]
            """)  # fmt: skip
        assert 0 < born <= runner.limits.processes


@pytest.mark.promise("processor")
def test_all_processes_together_get_one_processor(backend: Backend) -> None:
    """Whatever sessions they have given themselves: the kernel says so of the group that they are in."""
    name = hidden_name()
    with Runner(backend) as runner:
        runner.start(f"{HIDE}\nwait(600)", name=name)
        until(lambda: named(name))
        assert [processors_of(process.pid) for process in named(name)] == [1.0]


def processors_of(process: int) -> float:
    """How many processors the control group of a process gets."""
    for line in Path(f"/proc/{process}/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for root in ("/sys/fs/cgroup/cpu", "/sys/fs/cgroup"):
            folder = Path(root + path)
            if "cpu" in controllers.split(",") and (folder / "cpu.cfs_quota_us").exists():
                quota, period = ((folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
                return int(quota) / int(period)
            if not controllers and (folder / "cpu.max").exists():
                quota, period = (folder / "cpu.max").read_text().split()
                return int(quota) / int(period)
    raise AssertionError("the process is in no group that knows of processors")


@pytest.mark.promise("inodes")
def test_the_number_of_files_is_capped(backend: Backend) -> None:
    with Runner(backend, limits(memory_bytes=64 * MIB)) as runner:
        runner.start("""
            try:
                for number in range(200_000):
                    os.close(os.open(f"f{number}", os.O_CREAT | os.O_WRONLY))
                found = ["endless"]
            except (OSError, MemoryError):
                for made in range(min(number, 1000)):  # to answer takes memory, too
                    os.unlink(f"f{made}")
                found = ["capped"]
            """)  # fmt: skip
        reply = runner.box.read(deadline=time.monotonic() + PATIENCE)
        kills = runner.box.memory_kills()
        assert b"capped" in reply or kills > 0, (reply, runner.close())


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
