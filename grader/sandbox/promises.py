"""What each back end promises: one table, shown by ``grader doctor`` and tested by the tests.

A promise holds always, never, or if the machine has a feature; how to get a feature is stated in one place,
too. For every promise there are hostile programs in tests/grader/sandbox.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final

from grader.errors import SandboxError
from grader.inside import landlock, seccomp
from grader.inside.wire import PROTOCOL, decode, encode
from grader.model import Limits
from grader.sandbox import cache, cgroup
from grader.sandbox.base import Backend, Box, Probe, Protection


@dataclass(frozen=True, slots=True)
class Promise:
    """One thing that a submission cannot do, with the features of the machine that this depends on."""

    name: str
    sentence: str
    docker: bool | str
    bubblewrap: bool | str
    process: bool | str


PROMISES: Final = (
    Promise("files", "reads no file of the machine", True, True, "landlock"),
    Promise("writing", "writes to nothing but its own scratch folder", True, True, "landlock"),
    Promise("environment", "learns nothing of the grader's environment", True, True, True),
    Promise("sight", "sees no process outside of its box", True, True, "landlock"),
    Promise("signals", "signals no process outside of its box", True, True, "scopes"),
    Promise("runner", "reaches its box's own runner by no signal, trace or file", True, True, "scopes"),
    Promise("network", "opens no socket of any family", "filter", "filter", "filter"),
    Promise("calls", "reaches no dangerous system call", "filter", "filter", "filter"),
    Promise("silence", "tells another box nothing by locks, queues and counters", "filter", "filter", False),
    Promise("traces", "leaves nothing behind for the box that comes next", False, "tmpfs", False),
    Promise("notes", "leaves no file behind for its next process", True, True, True),
    Promise("privileges", "gains no privilege", True, True, True),
    Promise(
        "memory",
        "uses no more memory than its limit, all processes together",
        True,
        "memory",
        "memory and landlock",
    ),
    Promise("processes", "runs no more processes than its limit", True, True, "pids and landlock"),
    Promise("processor", "takes no more than one processor", True, "cpu", "cpu and landlock"),
    Promise("disk", "fills no more disk than its limit", True, True, False),
    Promise("inodes", "makes no endless number of files", True, True, False),
    Promise("survivors", "leaves no process behind", True, True, True),
    Promise("deadlines", "cannot make the grader wait", True, True, True),
)

_GROUP: Final = (
    "run the grader as root, as a service with Delegate=yes, or by systemd-run --user --scope "
    "-p Delegate=yes grader ..., where control groups have the controller"
)
ADVICE: Final = {
    "landlock": "needs Linux 5.13 or newer, with Landlock switched on (lsm=landlock,... at boot)",
    "scopes": "needs Landlock of Linux 6.12 or newer",
    "filter": "needs Linux on x86_64 or aarch64",
    "memory": f"{_GROUP} memory, or take docker",
    "pids": f"{_GROUP} pids, or take docker",
    "cpu": f"{_GROUP} cpu, or take docker",
    "tmpfs": "run the grader as root where /dev/shm is in memory, has 256 MiB free and may hold programs",
}


@lru_cache(maxsize=1)
def features() -> frozenset[str]:
    """Return the features of this machine that promises depend on."""
    if sys.platform != "linux":
        return frozenset()
    known = landlock.version()
    found = {
        "landlock": known >= 1,
        "scopes": known >= 6,
        "filter": seccomp.supported(),
        "tmpfs": cache.in_memory(),
    }
    return frozenset(name for name, there in found.items() if there) | cgroup.controllers()


def kept_promises(backend: str, extra: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the names of the promises that a back end keeps on this machine."""
    there = features() | extra
    return frozenset(
        promise.name
        for promise in PROMISES
        if (term := getattr(promise, backend)) is True or (term and there.issuperset(_named_in(term)))
    )


def protections(backend: str, extra: frozenset[str] = frozenset()) -> tuple[Protection, ...]:
    """Return all promises: whether a back end keeps each here and, if not, what is needed."""
    here = kept_promises(backend, extra)
    return tuple(
        Protection(
            promise.name,
            promise.name in here,
            promise.sentence,
            "" if promise.name in here else _advice(backend, promise, features() | extra),
        )
        for promise in PROMISES
    )


def _named_in(term: str) -> list[str]:
    return term.split(" and ")


def _advice(backend: str, promise: Promise, there: frozenset[str]) -> str:
    term = getattr(promise, backend)
    if isinstance(term, str):
        lacking = [name for name in _named_in(term) if name not in there]
        why = [cgroup.obstacle()] if not set(cgroup.CONTROLLERS).isdisjoint(lacking) else []
        return "; ".join([*why, *(ADVICE[name] for name in lacking)])
    return f"take {' or '.join(name for name in ('docker', 'bubblewrap') if getattr(promise, name))}"


# --- self test --------------------------------------------------------------------------------------
# Test a back end: open a box, say hello to its runner, and wait for the answer.


HELLO_SECONDS: Final = 20.0
"""How long a runner may take to answer, far more than it needs; a slower machine cannot grade."""
_MAX_ANSWER_BYTES: Final = 65536
"""The most bytes of an answer that are read."""


def hello(box: Box, limits: Limits, *, seconds: float = HELLO_SECONDS) -> str:
    """Say hello to the runner in a box and return its description. Raises SandboxError."""
    deadline = time.monotonic() + seconds
    message = {"type": "hello", "protocol": PROTOCOL, "limits": asdict(limits)}
    answer = b""
    try:
        box.write(encode(message), deadline=deadline)
        while not answer.endswith(b"\n"):
            data = box.read(deadline=deadline)
            if not data or len(answer) > _MAX_ANSWER_BYTES:
                break
            answer += data
        return str(decode(answer, cap=_MAX_ANSWER_BYTES)["runner"])
    except BrokenPipeError:
        raise SandboxError(f"the runner ended before it listened{_last_words(box)}") from None
    except (ValueError, KeyError, TypeError):
        got = repr(answer[:200].decode("utf-8", "replace")) if answer else "nothing"
        raise SandboxError(f"expected the runner's hello, got {got}{_last_words(box)}") from None


def probe_by_hello(backend: Backend, protections: tuple[Protection, ...], *, advice: str = "") -> Probe:
    """Open a box, say hello to its runner, and return the outcome."""
    limits = Limits()
    try:
        box = backend.open(limits)
        try:
            runner = hello(box, limits)
        finally:
            box.close()
    except SandboxError as error:
        return Probe(backend.name, False, str(error), advice)
    return Probe(backend.name, True, f"a box with {runner} answered", "", protections)


def _last_words(box: Box) -> str:
    complaint = getattr(box, "complaint", str)()
    return f"; it said: {' '.join(complaint.split())[-500:]}" if complaint else ""
