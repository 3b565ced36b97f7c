"""The runner: no signal, no trace, no read, no write and no change of its standing from inside its box."""

from __future__ import annotations

from typing import Any

import pytest

from grader.sandbox.base import Backend
from tests.grader.sandbox.boxes import Runner, numbers_of

OTHERS = """
me, others = os.getpid(), {1, os.getppid()}
try:
    others |= {int(name) for name in os.listdir("/proc") if name.isdigit()}
except OSError:
    pass
others -= {me}
"""
"""Every process of the box but the program's own, as far as it can see them."""


@pytest.mark.promise("runner")
def test_nothing_of_the_runner_is_opened(backend: Backend) -> None:
    with Runner(backend) as runner:
        found = runner.attack(f"""{OTHERS}
names = ["mem", "environ", "maps", "syscall", "stack", "auxv", "oom_score_adj", "cwd/x", "root/etc", "exe"]
names += [f"fd/{{number}}" for number in range(64)] + [f"task/{{one}}/mem" for one in others]
for process in others:
    for name in names:
        for mode in (os.O_RDONLY, os.O_WRONLY):
            try:
                os.close(os.open(f"/proc/{{process}}/{{name}}", mode | os.O_NONBLOCK))
            except OSError:
                continue
            found.append([name, mode])
""")
        assert found == []


FORGE = """
value = {"returned": {"type": "bool", "value": False}, "changed": None}
line = json.dumps({"type": "reply", "round": 1, "id": "c1", "outcome": "returned", "output": "",
                   "value": value, "cpu_seconds": 0.0})
forged = (line + "\\n" + json.dumps({"type": "done", "round": 1}) + "\\n").encode()
for process in ("1", str(os.getppid()), "self", "thread-self"):
    for number in range(64):
        for place in (f"/proc/{process}/fd/{number}", f"/dev/fd/{number}"):
            if number == 9 and process not in ("1", str(os.getppid())) or place == "/dev/fd/9":
                continue  # its own way to answer: what goes there is a claim like any other
            try:
                with open(place, "wb", buffering=0) as pipe:
                    pipe.write(forged)
            except OSError:
                pass
"""


@pytest.mark.promise("runner")
def test_no_reply_is_forged_over_the_runners_pipes(backend: Backend) -> None:
    with Runner(backend) as runner:
        reply = runner.claim(FORGE)
        assert reply["value"]["returned"] == {"type": "bool", "value": True}


@pytest.mark.promise("runner")
def test_the_runner_takes_no_signal(backend: Backend) -> None:
    """Not by any call that sends one, nor by one that the kernel sends for it."""
    with Runner(backend) as runner:
        runner.attack("""
            import fcntl, signal
            victims = [1, os.getppid()] if own_namespace else [os.getppid()]
            for victim in victims:
                for number in range(1, 65):
                    for send in (os.kill, os.killpg):
                        try:
                            send(victim, number)
                        except OSError:
                            pass
                try:
                    signal.pidfd_send_signal(os.pidfd_open(victim), signal.SIGKILL)
                except (OSError, AttributeError):
                    pass
                for command in (8, 10, 15):  # F_SETOWN, F_SETSIG, F_SETOWN_EX
                    try:
                        fcntl.fcntl(1, command, victim)
                    except OSError:
                        pass
            """, own_namespace=backend.name != "process")  # fmt: skip
        assert runner.attack("found = 1") == 1


CALLS: dict[str, list[Any]] = {
    "ptrace": [16, 0, 0], "process_vm_readv": [0], "kcmp": [0, 0], "tkill": [0, 9],
    "rt_sigqueueinfo": [0, 9, None], "setpriority": [0, 0, 19], "ioprio_set": [1, 0, 0x6000],
    "sched_setscheduler": [0, 5, "zero"], "sched_setparam": [0, "zero"], "sched_setaffinity": [0, 8, "one"],
    "prlimit64": [0, 7, "one", None], "move_pages": [0], "migrate_pages": [0],
}  # fmt: skip
"""Calls that change another process, with their arguments; the first 0 that stands for a process is
replaced by its number."""
PLACE_OF_PROCESS = {"ptrace": 2, "setpriority": 2, "ioprio_set": 2}


@pytest.mark.promise("calls")
def test_no_call_that_takes_a_process_changes_the_runner(backend: Backend) -> None:
    calls = {name: [number, *CALLS[name]] for name, number in numbers_of(" ".join(CALLS)).items()}
    with Runner(backend) as runner:
        found = runner.attack("""
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            words = {"zero": (ctypes.c_ulong * 2)(0, 0), "one": (ctypes.c_ulong * 2)(1, 1)}
            for victim in {1, os.getppid()} if own_namespace else {os.getppid()}:
                for name, call in calls.items():
                    call = list(call)
                    call[place.get(name, 1)] = victim
                    if libc.syscall(*[words.get(word, word) for word in call]) != -1:
                        found.append(name)
            """, calls=calls, place=PLACE_OF_PROCESS,
            own_namespace=backend.name != "process")  # fmt: skip
        assert found == []
