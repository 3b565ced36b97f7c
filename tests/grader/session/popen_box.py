"""A back end for these tests: the runner as a plain child process, with no protection at all."""

from __future__ import annotations

import atexit
import os
import select
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import psutil

from grader.errors import BoxTimeout
from grader.model import Call, Claim, IsPerfect, Limits, Submission, Target
from grader.model.claims import Value
from grader.sandbox.base import Ending, Probe
from grader.sandbox.contents import sources
from grader.session.session import Session

START = "import sys; sys.path.insert(0, {box!r}); from inside.runner import main; main()"
ENVIRONMENT = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/tmp"}


def make_contents(folder: Path) -> Path:
    """A folder as a box holds it."""
    for path, content in sources().items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
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
            with suppress(psutil.NoSuchProcess):
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


# --- a submission in a few lines ------------------------------------------------------------------

QUICK = Limits(
    call_cpu_seconds=0.3,
    call_wall_seconds=2.0,
    memory_bytes=256 * 1024 * 1024,
    output_bytes=4096,
    reply_bytes=100_000,
    disk_bytes=100_000,
)
PATIENT = replace(QUICK, call_cpu_seconds=20.0, call_wall_seconds=60.0)
"""For tests that are about no limit: a busy machine may take its time."""
ROOM = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"

SEARCH = """
class Search:
    def __init__(self):
        self._pending, self._found = [], {}

    def mark_as_pending(self, position):
        self._pending.append(position)
        self._found[position] = (None, None)

    def has_pending_cells(self):
        return bool(self._pending)

    def first_pending(self):
        return self._pending.pop(0)

    def record(self, start, move, end):
        if end not in self._found:
            self._pending.append(end)
            self._found[end] = (start, move)

    def moves_to(self, position):
        moves = []
        while self._found[position][0] is not None:
            position, move = self._found[position]
            moves.append(move)
        return moves[::-1]

    @property
    def known_cells(self):
        return self._found.keys()
"""

BFS = """
class BFS:
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.first_pending()
            if maze.is_exit(cell):
                return search.moves_to(cell)
            for move in maze.valid_moves_at(cell):
                search.record(cell, move, cell + move)
"""


@lru_cache(maxsize=1)
def contents() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="maze-grader-contents-"))
    atexit.register(shutil.rmtree, folder)
    return make_contents(folder)


def submission(files: Mapping[str, str | bytes]) -> Submission:
    return Submission("ada", {p: c.encode() if isinstance(c, str) else c for p, c in files.items()})


def open_session(files: Mapping[str, str | bytes], limits: Limits = PATIENT) -> Session:
    return Session(PopenBackend(contents()), limits, submission(files))


def ask(
    files: Mapping[str, str | bytes],
    target: Target,
    *calls: Call,
    limits: Limits = QUICK,
    isolate: bool = False,
) -> tuple[Claim, ...]:
    """Make the calls in a session of their own."""
    with open_session(files, limits) as session:
        return session.run(target, calls, isolate=isolate)


CHECKER = Target("perfection_checker.py", "PerfectionChecker")


def question(name: str = "c1", *, group: str = "", maze: str = ROOM) -> Call:
    return Call(name, IsPerfect(maze), group=group)


def ask_each(
    texts: Sequence[str | bytes],
    *calls: Call,
    others: Mapping[str, str | bytes] = MappingProxyType({}),
    limits: Limits = QUICK,
    isolate: bool = False,
) -> list[tuple[Claim, ...]]:
    """Make the calls on each text, which is a file of its own, all in one box."""
    files = {f"checker_{number}.py": text for number, text in enumerate(texts)}
    with open_session({**others, **files}, limits) as session:
        return [
            session.run(Target(file, CHECKER.name), calls or [question()], isolate=isolate) for file in files
        ]


def check_each(
    bodies: Collection[str], *, before: str = "", count: int = 1, cpu: float = 20.0, limits: Limits = QUICK
) -> dict[str, tuple[Claim, ...]]:
    """Ask a perfection checker of each body ``count`` times, for ``cpu`` seconds each, all in one box."""
    texts = [checker(body, before=before) for body in bodies]
    calls = [question(f"c{number}") for number in range(1, count + 1)]
    claims = ask_each(texts, *calls, limits=replace(limits, call_cpu_seconds=cpu))
    return dict(zip(bodies, claims, strict=True))


def check(
    body: str, *, before: str = "", count: int = 1, cpu: float = 0.3, limits: Limits = QUICK
) -> tuple[Claim, ...]:
    """Ask a perfection checker whose method has that body, ``count`` times, for ``cpu`` seconds each."""
    return ask(
        {CHECKER.file: checker(body, before=before)},
        CHECKER,
        *(question(f"c{number}") for number in range(1, count + 1)),
        limits=replace(limits, call_cpu_seconds=cpu),
    )


def answered(claim: Claim) -> Value:
    """What the checker gave."""
    assert claim.answer is not None, claim.fault
    return claim.answer.returned


def checker(body: str, *, before: str = "") -> str:
    method = textwrap.indent(textwrap.dedent(body).strip(), " " * 8)
    head = textwrap.dedent(before)
    return f"{head}\nclass PerfectionChecker:\n    def is_perfect(self, maze):\n{method}\n"
