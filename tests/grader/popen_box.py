"""A back end for these tests: the runner as a plain child process, with no protection at all."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from grader.errors import BoxTimeout
from grader.model import Limits
from grader.sandbox.base import Ending, Probe

REPOSITORY = Path(__file__).parents[2]
START = "import sys; sys.path.insert(0, {box!r}); from inside.runner import main; main()"
ENVIRONMENT = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/tmp"}


def make_contents(folder: Path) -> Path:
    """A folder as a box holds it."""
    (folder / "lab").symlink_to(REPOSITORY / "lab")
    (folder / "inside").symlink_to(REPOSITORY / "grader" / "inside")
    return folder


@dataclass
class PopenBox:
    process: subprocess.Popen[bytes]
    scratch: tempfile.TemporaryDirectory[str]
    kills: int = 0

    def write(self, data: bytes, *, deadline: float) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self, *, deadline: float) -> bytes:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise BoxTimeout("no bytes in time")
        return os.read(self.process.stdout.fileno(), 65536)

    def memory_kills(self) -> int:
        return self.kills

    def kill(self) -> None:
        for child in _descendants(self.process.pid):
            child.kill()
        self.process.kill()

    def close(self) -> Ending:
        if self.process.returncode is None:
            self.kill()
        status = self.process.wait(10)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        self.scratch.cleanup()
        return Ending(exit_status=status if status >= 0 else None, signal=-status if status < 0 else None)


def _descendants(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


@dataclass
class PopenBackend:
    contents: Path
    name: str = "popen"
    isolation: str = "Nothing is isolated."
    boxes: list[PopenBox] = field(default_factory=list)

    def probe(self) -> Probe:
        return Probe(self.name, works=True, reason="it is there")

    def open(self, limits: Limits) -> PopenBox:
        scratch = tempfile.TemporaryDirectory()
        command = [sys.executable, "-s", "-S", "-B", "-P", "-X", "utf8", "-c"]
        command += [START.format(box=str(self.contents)), f"--scratch={scratch.name}"]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
            cwd=scratch.name,
            bufsize=0,
        )
        self.boxes.append(PopenBox(process, scratch))
        return self.boxes[-1]
