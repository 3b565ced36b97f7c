"""Trying the promises of a sandbox on this machine: a program each, in a box of its own.

Whoever runs the grader sees what holds here, not only what should: an engine may be set up otherwise, a
kernel may lack what its version has. A promise holds where its program returns that it reached nothing, or
ended as the promise says that it must.
"""

from __future__ import annotations

import secrets
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psutil

from grader.errors import BeyondBounds, SandboxError
from grader.model import Call, Claim, IsPerfect, Limits, Submission, Target
from grader.model.claims import truth_value
from grader.reader import Reader
from grader.sandbox.base import Backend
from grader.session.session import Session
from grader.session.trial_programs import BEGIN, PROGRAMS

LIMITS: Final = Limits(
    call_cpu_seconds=10.0,
    call_wall_seconds=60.0,
    memory_bytes=128 * 1024 * 1024,
    processes=16,
    disk_bytes=1024 * 1024,
)
_OTHER_LIMITS: Final = {
    "deadlines": replace(LIMITS, call_cpu_seconds=1.0, call_wall_seconds=5.0),
    "inodes": replace(LIMITS, memory_bytes=64 * 1024 * 1024),
}
_SIGNAL_SECONDS: Final = 1.0
_READER_SECONDS: Final = 0.5
_TARGET: Final = Target("trial.py", "Trial")
_CALL: Final = Call("trial", IsPerfect("+-+-+\n|S E|\n+-+-+"))
_AGAIN: Final = replace(_CALL, id="again")
"""For a promise about what one process finds of the other."""
_ENDS: Final[Mapping[str, tuple[str, ...]]] = {
    "deadlines": ("timeout",),
    "memory": ("out-of-memory", "died"),
    "inodes": ("out-of-memory", "died"),
}
"""How a program may also end where its promise holds."""


@dataclass(frozen=True, slots=True)
class _Bystander:
    """A process and a file of this machine that no box may reach."""

    process: subprocess.Popen[bytes]
    given: Mapping[str, Any]

    def is_well(self) -> bool:
        """Tell whether nobody has ended the process; wait a little, since a signal may be on its way."""
        try:
            self.process.wait(_SIGNAL_SECONDS)
        except subprocess.TimeoutExpired:
            return True
        return False


def broken(backend: Backend, names: frozenset[str]) -> dict[str, str]:
    """Try the promises of those names; return those that do not hold here, each with what was seen."""
    found: dict[str, str] = {}
    if sys.platform != "linux":
        return found
    with _bystander() as bystander:
        for name in PROGRAMS:
            if name in names and (seen := _try(backend, name, bystander)):
                found[name] = seen
    if "deadlines" in names and (seen := _try_reader()):
        found.setdefault("deadlines", seen)
    return found


def _try_reader() -> str:
    """Return what shows that to read a submission may take for ever; an empty text where it has bounds."""
    try:
        Reader(_READER_SECONDS, LIMITS.memory_bytes).read(lambda: sum(iter(int, 1)), int)
    except BeyondBounds:
        return ""
    except SandboxError as error:
        return str(error)
    return "reading that never ends came to an end"


def _try(backend: Backend, name: str, bystander: _Bystander) -> str:
    """Return what shows that a promise is broken; an empty text where it holds."""
    submission = Submission("trial", {_TARGET.file: _source(name, bystander.given).encode()})
    try:
        with Session(backend, _OTHER_LIMITS.get(name, LIMITS), submission) as session:
            session.leftovers = "charged"
            claims = session.run(_TARGET, [_CALL, _AGAIN][: 1 + (name == "notes")], isolate=True)
            if _lives(bystander.given["name"]):
                return "a process was left behind"
            if name == "signals" and not bystander.is_well():
                return "a process of the machine was ended"
            if name == "runner" and session.restarts:
                return "the runner was ended"
    except SandboxError as error:
        return str(error)
    return next((seen for claim in claims if (seen := _seen(name, claim))), "")


def _seen(name: str, claim: Claim) -> str:
    if claim.outcome in _ENDS.get(name, ()):
        return ""
    if claim.outcome == "returned":
        value = getattr(claim.value, "returned", None)
        return "" if value == truth_value(True) else "a program got through"
    said = f": {claim.fault.kind} {claim.fault.message}".rstrip() if claim.fault else ""
    return f"a program ended otherwise than it should, {claim.outcome}{said}"


def _source(name: str, given: Mapping[str, Any]) -> str:
    body = textwrap.indent(PROGRAMS[name].strip(), " " * 8)
    return BEGIN.replace("{given!r}", repr(dict(given))) + body + "\n"


@contextmanager
def _bystander() -> Iterator[_Bystander]:
    word, name = f"secret-{secrets.token_hex(8)}", f"left-{secrets.token_hex(4)}"
    sleep = [sys.executable, "-c", "import time; time.sleep(3600)", word]
    nowhere = subprocess.DEVNULL  # a Ctrl-C in the terminal ends it as well
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(sleep, stderr=nowhere) as process,  # noqa: S603
    ):
        secret = Path(folder, "secret")
        secret.write_text(word)
        given = {
            "word": word,
            "name": name,
            "secret": str(secret),
            "folder": folder,
            "bystander": process.pid,
            "memory": _device(Path("/dev/shm")),  # noqa: S108 - looked at only
            "processes": LIMITS.processes,
            "disk": LIMITS.disk_bytes,
        }
        try:
            yield _Bystander(process, given)
        finally:
            process.send_signal(signal.SIGKILL)


def _device(folder: Path) -> int:
    return folder.stat().st_dev if folder.is_dir() else 0


def _lives(name: str) -> bool:
    """Tell whether a process of that name is there, as far as this machine can see."""
    for process in psutil.process_iter():
        try:
            if process.name() == name and process.status() != psutil.STATUS_ZOMBIE:
                return True
        except psutil.Error:
            continue
    return False
