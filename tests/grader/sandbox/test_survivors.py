"""What must not go on: survivors, what processes leave for the next, and boxes that do not want to end."""

from __future__ import annotations

import secrets
import signal
import subprocess
import sys
import time

import psutil
import pytest

from grader.errors import BoxTimeout
from grader.model import Call, IsPerfect, Submission, Target
from grader.sandbox.base import Backend
from grader.session.session import Session
from grader.session.trials import LIMITS
from tests.grader.sandbox.boxes import MIB, PATIENCE, Runner


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


def the_runner_of(hidden: list[psutil.Process]) -> psutil.Process:
    """The runner, to which a process comes that has lost its parent."""
    runner = hidden[0].parent()
    assert runner is not None
    return runner


def until(condition: object, seconds: float = PATIENCE) -> None:
    """Wait for something to come true."""
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.01)


HIDE = """
import ctypes, mmap, _signal as signal
def hide(name):
    ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
ready = mmap.mmap(-1, 1)
if not os.fork():
    os.setsid()
    if not os.fork():
        os.setsid()
        hide(name)
        ready[0] = 1
        wait(600)
    os._exit(0)
while not ready[0]:
    wait(0.001)
"""


def hidden_name() -> str:
    return f"hid-{secrets.token_hex(5)}"


@pytest.mark.promise("survivors")
def test_nothing_outlives_its_round(backend: Backend) -> None:
    name = hidden_name()
    with Runner(backend) as runner:
        assert runner.attack(HIDE, name=name) == []
        assert named(name) == []


@pytest.mark.promise("survivors")
def test_nothing_outlives_a_box_that_is_closed_in_the_middle(backend: Backend) -> None:
    name = hidden_name()
    with Runner(backend) as runner:
        runner.start(f"{HIDE}\nwait(600)", name=name)
        until(lambda: named(name))
        runner.close()
        assert named(name) == []


@pytest.mark.promise("survivors")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_nothing_outlives_a_runner_that_was_ended_or_stopped(backend: Backend, number: int) -> None:
    name = hidden_name()
    with Runner(backend) as runner:
        runner.start(f"{HIDE}\nwait(600)", name=name)
        until(lambda: named(name))
        the_runner_of(named(name)).send_signal(number)
        runner.close()
        assert named(name) == []


@pytest.mark.promise("deadlines")
def test_a_box_that_never_reads_is_given_up(backend: Backend) -> None:
    with Runner(backend) as runner:
        name = hidden_name()
        runner.start(f"{HIDE}\nwait(600)", name=name)
        until(lambda: named(name))
        the_runner_of(named(name)).suspend()
        with pytest.raises(BoxTimeout):
            runner.box.write(bytes(32 * MIB), deadline=time.monotonic() + 1)
        runner.close()


GRADER = """
import time
from tests.grader.sandbox.boxes import Runner
from grader.sandbox.base import BACKENDS
runner = Runner(BACKENDS[{backend!r}]())
runner.start({code!r}, name={name!r})
print("open", flush=True)
time.sleep(600)
"""


NEXT_GRADER = """
from tests.grader.sandbox.boxes import Runner
from grader.sandbox.base import BACKENDS
Runner(BACKENDS[{backend!r}]()).close()
"""


@pytest.mark.promise("survivors")
def test_nothing_outlives_a_grader_that_was_killed(backend: Backend) -> None:
    name = hidden_name()
    code = f"{HIDE}\nwait(600)"
    program = GRADER.format(backend=backend.name, code=code, name=name)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as grader:
        assert grader.stdout
        assert grader.stdout.readline() == b"open\n"
        until(lambda: named(name))
        grader.kill()
    subprocess.run([sys.executable, "-c", NEXT_GRADER.format(backend=backend.name)], check=True)
    until(lambda: not named(name))


TARGET = Target("perfection_checker.py", "PerfectionChecker")
COUNTS = """
import os


class PerfectionChecker:
    def is_perfect(self, maze):
        for number in range(100):
            name = f"n{number}"
            if not os.path.lexists(name):
                break
        try:
            os.makedirs(f"{name}/inner")
            os.setxattr(".", f"user.{name}", b"1")
        except OSError:
            pass
        for path, mode in ((f"{name}/inner", 0), (name, 0), (".", 0o700 + number + 1)):
            try:
                os.chmod(path, mode)
            except OSError:
                pass
        return repr((number, [name for name in os.listxattr(".") if name != f"user.n{number}"]))
"""


@pytest.mark.promise("notes")
def test_processes_cannot_count_each_other(backend: Backend) -> None:
    calls = [Call(str(number), IsPerfect("+-+-+\n|S E|\n+-+-+")) for number in range(4)]
    submission = Submission("counts", {TARGET.file: COUNTS.encode()})
    with Session(backend, LIMITS, submission) as session:
        claims = session.run(TARGET, calls, isolate=True)
        assert session.restarts == 0
    assert [claim.outcome for claim in claims] == ["returned"] * 4
    assert len({str(claim.value) for claim in claims}) == 1
    assert "(0, [])" in str(claims[0].value)
