"""Open boxes for tests: back ends by name, a small client, and programs that attack."""

from __future__ import annotations

import base64
import ctypes
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from grader.model import Limits
from grader.sandbox.base import Backend, Ending, hello
from grader.session.trials import REAL_TIME

MIB = 1024 * 1024
NOBODY = 2_100_000_001
"""A user without any rights."""
SMALL = Limits(memory_bytes=256 * MIB, processes=16, disk_bytes=1 * MIB, call_cpu_seconds=20.0)
PATIENCE = 60.0
"""More seconds than any answer takes, even on a slow machine."""
BUDGET = {
    "turns": 10**9,
    "tired_turns": 10**9,
    "questions": 1000,
    "depth": 5000,
    "cpu_seconds": 20.0,
    "wall_seconds": 30.0,
}
MAZE = "+-+-+\n|S E|\n+-+-+"


def can_install() -> bool:
    """Return whether the scripts can install what is missing: then every back end has to work."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def python() -> str:
    """Return a Python of this version that every user can run."""
    names: list[str] = [sys._base_executable, "/usr/bin/python3", "/usr/local/bin/python3"]  # type: ignore[attr-defined]
    user = NOBODY if os.geteuid() == 0 else None
    for name in filter(os.path.exists, names):
        try:
            asked = subprocess.run(
                [name, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"], user=user, check=False
            )
        except PermissionError:
            continue
        if asked.returncode == 0:
            return name
    raise AssertionError(f"expected one of {names} to be there for everybody, in version 3.11 or newer")


def numbers_of(names: str) -> dict[str, int]:
    """Return the numbers of system calls, by name; those that are unknown to this machine are left out."""
    resolve = ctypes.CDLL("libseccomp.so.2").seccomp_syscall_resolve_name
    found = {name: int(resolve(name.encode())) for name in names.split()}
    return {name: number for name, number in found.items() if number >= 0}


class Runner:
    """A box whose runner was greeted; ``attack`` runs code in it."""

    def __init__(self, backend: Backend, limits: Limits = SMALL) -> None:
        self.limits = limits
        self.box: Any = backend.open(limits)  # tests look into boxes of every kind
        try:
            hello(self.box, limits)
        except BaseException:
            self.box.close()
            raise
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.box.close()

    def close(self) -> Ending:
        ending: Ending = self.box.close()
        return ending

    def attack(self, code: str, **given: object) -> Any:
        """Run code in a call, and return what it left in ``found``."""
        reply = self.claim(code, **given)
        assert reply["outcome"] == "returned", reply
        return json.loads(reply["output"])

    def answers_to_calls(self, numbers: Mapping[str, int]) -> dict[str, str]:
        """Return the kernel's answers to system calls without arguments, by name: the error, or the value."""
        found = self.attack("""
            import ctypes, errno
            libc = ctypes.CDLL(None, use_errno=True)
            for name, number in numbers.items():
                ctypes.set_errno(0)
                answer = libc.syscall(number, 0, 0, 0, 0, 0, 0)
                found.append([name, errno.errorcode.get(ctypes.get_errno(), str(answer))])
            """, numbers=dict(numbers))  # fmt: skip
        return dict(found)

    def claim(self, code: str, **given: object) -> dict[str, Any]:
        """Run code in a call, and return the reply."""
        self.start(code, **given)
        reply: dict[str, Any] = self.line()
        assert self.line()["type"] == "done"
        return reply

    def start(self, code: str, **given: object) -> None:
        """Start code in a call; what it leaves in ``found`` is printed."""
        body = textwrap.indent(textwrap.dedent(code).strip(), " " * 8)
        program = (
            "import json, os, sys, time\n"
            + REAL_TIME
            + "".join(f"{name} = {value!r}\n" for name, value in given.items())
            + f"class Hostile:\n    def is_perfect(self, maze):\n        found = []\n{body}\n"
            + "        print(json.dumps(found))\n        return True\n"
        )
        files = {"hostile.py": base64.b64encode(program.encode()).decode()}
        self.send(type="load", files=files, leftovers="charged")  # these programs mean to wait
        assert self.line() == {"type": "loaded", "files": 1}
        call = {"id": "c1", "kind": "is_perfect", "arguments": {"maze": MAZE}, "budget": 0}
        target = {"file": "hostile.py", "name": "Hostile"}
        how = {"isolate": False, "anew": False, "hurry": 0, "tired": False, "stretch": 1.0, "search": "own"}
        how["left"] = [600.0, 600.0]
        self.send(
            type="round", id=1, target=target, **how, until_endless=False, budgets=[BUDGET], calls=[call]
        )

    def send(self, **message: object) -> None:
        self.box.write(json.dumps(message).encode() + b"\n", deadline=time.monotonic() + PATIENCE)

    def line(self) -> Any:
        """The next message of the runner."""
        while b"\n" not in self._rest:
            data = self.box.read(deadline=time.monotonic() + PATIENCE)
            assert data, "the runner is gone"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)


def limits(**changed: Any) -> Limits:
    """Return the small limits with changes."""
    return replace(SMALL, **changed)
