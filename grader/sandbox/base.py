"""The contract of every back end, what each promises, and which of them works here.

A box is used for one submission only. When ``open`` returns, a runner (``grader/inside``) is starting in it
and waits for its first line; the box contains Python, ``lab`` and ``inside``, and nothing of the host, the
reference or any other student. Deadlines are values of ``time.monotonic()``.

What each back end promises is one table, shown by ``grader doctor`` and tested by the tests. A promise holds
always, never, or if the machine has a feature; how to get a feature is stated in one place, too. For every
promise there are hostile programs in tests/grader/sandbox.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final, Protocol

from grader.errors import SandboxError
from grader.inside import guard
from grader.inside.wire import PROTOCOL, decode, encode
from grader.lazy import LazyFunction
from grader.model import Limits
from grader.sandbox import cgroup, contents

OPEN_FILES: Final = 256
"""The most open files of a process in a box."""
PARTING_SECONDS: Final = 1
"""How long a runner may take to exit after closing its output."""
UNUSED_USERS: Final = range(2_000_000_000, 2_100_000_000)
"""User ids that nobody has: above those of containers, below the special ones."""


@dataclass(frozen=True, slots=True)
class Protection:
    """One thing that a back end protects against, whether it works here, and how to get it."""

    name: str
    works: bool
    detail: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """What a back end can do on this machine, determined by trying."""

    backend: str
    works: bool
    reason: str
    advice: str = ""
    protections: tuple[Protection, ...] = ()
    passing: bool = False
    """Whether it failed for lack of something that may come back."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a box ended: its exit status or signal, and whether the kernel killed it for its memory."""

    exit_status: int | None = None
    signal: int | None = None
    out_of_memory: bool = False
    taken_away: bool = False
    """Whether the machine or somebody on it ended the box, which says nothing about the submission."""


class Box(Protocol):
    """One single-use sandbox with a runner in it."""

    def write(self, data: bytes, *, deadline: float) -> None:
        """Send all bytes. Raises BoxTimeout, or BrokenPipeError if the runner is gone."""

    def read(self, *, deadline: float) -> bytes:
        """Return the next bytes (64 KiB at most), b"" at the end. Raises BoxTimeout."""

    def memory_kills(self) -> int:
        """Return how many of the box's processes the kernel has killed for their memory; 0 if unknown."""

    def kill(self) -> None:
        """Kill every process in the box; safe to call twice, and never blocks for long."""

    def close(self) -> Ending:
        """Kill, reap and clean up; safe to call twice."""


class Backend(Protocol):
    """A factory of boxes."""

    name: str
    isolation: str
    """A sentence for the report about what it protects."""

    def probe(self) -> Probe:
        """Determine, by trying, whether it works on this machine."""

    def open(self, limits: Limits) -> Box:
        """Start a box. Raises SandboxError, which is always the machine's fault, never a submission's."""


AUTO: Final = "auto"
"""Stands for the strongest back end that works here."""

BACKENDS: Final[Mapping[str, Callable[[], Backend]]] = {
    "docker": LazyFunction("grader.sandbox.docker:DockerBackend"),
    "bubblewrap": LazyFunction("grader.sandbox.bubblewrap:BubblewrapBackend"),
    "process": LazyFunction("grader.sandbox.process:ProcessBackend"),
}
"""The back ends, the strongest first, as ``auto`` tries them; each is imported only when it is opened."""

_MARKS: Final = {True: "yes", False: "NO"}
_BROKEN: Final = "BROKEN"
PATIENCE_SECONDS: Final = 60.0
"""How long a failed sandbox may take to work again."""
_PAUSE_SECONDS: Final = 0.5
"""The pause between two tries."""
_LIMITS: Final = ("memory", "processes")
"""Promises without which one submission may end the grading of all."""
_MOST_NAMED: Final = 9
"""How many promises that are not kept the first line of a run names."""

LOAD: Final = Protection(
    "load",
    False,
    "tells a box that runs beside it nothing by how busy it keeps the machine",
    "grade with --jobs 1, so that none runs beside it",
)
"""What no back end keeps where several boxes run at once."""

Try = Callable[[Backend, frozenset[str]], Mapping[str, str]]
"""Test the promises of these names; return the broken ones, each with what was observed."""


def choose(
    name: str = AUTO, *, patience: float = PATIENCE_SECONDS, alone: bool = True
) -> tuple[Backend, str]:
    """Return the named back end, or the strongest that works, and the first line of a run.

    That line says why it was chosen, and which promises it does not keep; ``alone`` says whether it runs one
    box after the other. A back end that fails temporarily gets ``patience`` seconds to work again. Raises
    SandboxError if the named back end, or every one, does not work here.
    """
    if name == AUTO:
        found, probe, choice = _strongest(patience)
        return found, _first_line(choice, probe, alone)
    if name not in BACKENDS:
        raise SandboxError(f"expected one of {', '.join((AUTO, *BACKENDS))} as sandbox, got {name!r}")
    backend = BACKENDS[name]()
    probe = _probe_patiently(backend, patience)
    if not probe.works:
        raise SandboxError(f"the sandbox {name} does not work here: {_why(probe)}")
    return backend, _first_line(f"{name}: asked for by name", probe, alone)


def doctor(try_promises: Try) -> str:
    """Return a table of the back ends and their promises here, after testing these."""
    lines = []
    for make in BACKENDS.values():
        backend = make()
        probe = _probe(backend)
        lines += [f"{probe.backend}: {'works' if probe.works else 'DOES NOT WORK'} - {_why(probe)}"]
        broken = try_promises(backend, frozenset(item.name for item in probe.protections if item.works))
        lines += [_line(item, broken.get(item.name, "")) for item in probe.protections]
        lines += [_line(LOAD, "")] if probe.works else []
        lines += [f"  {_BROKEN}: do not grade others' work with {probe.backend} here"] if broken else []
        lines.append("")
    try:
        lines.append(f"auto takes {_strongest()[2]}")
    except SandboxError as error:
        lines.append(f"auto fails: {error}")
    return "\n".join(lines) + "\n"


def _line(item: Protection, seen: str) -> str:
    """Format one promise: whether it is made here, and whether it was kept in the test."""
    mark = _BROKEN if seen else _MARKS[item.works]
    said = seen or item.advice
    return f"  {mark:<7}{item.name:<12} a submission {item.detail}{f'  ({said})' if said else ''}"


def _probe(backend: Backend) -> Probe:
    """Return what a back end can do here; nothing if it is broken in a way that nobody foresaw."""
    try:
        return backend.probe()
    except Exception as error:  # noqa: BLE001 - whatever is broken on this machine, the next one may work
        first = f"{error}".partition("\n")[0]
        return Probe(backend.name, False, f"{type(error).__name__}: {first}")


def _probe_patiently(backend: Backend, patience: float) -> Probe:
    probe = _probe(backend)
    end = time.monotonic() + patience * probe.passing
    while not probe.works and time.monotonic() < end:
        time.sleep(min(_PAUSE_SECONDS, patience))
        probe = _probe(backend)
    return probe


def _strongest(patience: float = 0.0) -> tuple[Backend, Probe, str]:
    """Return the strongest working back end, its probe, and why it was chosen. Raises SandboxError.

    One that drops limits here gives way to a later one that keeps them.
    """
    failures: dict[str, str] = {}
    working: list[tuple[Backend, Probe]] = []
    for name, make in BACKENDS.items():
        backend = make()
        probe = _probe_patiently(backend, patience)
        if probe.works:
            working.append((backend, probe))
            if not _dropped(probe):
                break
        else:
            failures[name] = _why(probe)
    if not working:
        told = "; ".join(f"{name} does not: {why}" for name, why in failures.items())
        raise SandboxError(f"no sandbox works here: {told}")
    backend, probe = min(working, key=lambda pair: len(_dropped(pair[1])))
    do_not = f" ({' and '.join(failures)} {'do' if len(failures) > 1 else 'does'} not)" if failures else ""
    weaker = [each for each in working if each[0] is not backend and _dropped(each[1])]
    less = "".join(f"; {each.name} drops limits here: {', '.join(_dropped(found))}" for each, found in weaker)
    return backend, probe, f"{backend.name}: the strongest that works here{do_not}{less}"


def _dropped(probe: Probe) -> list[str]:
    """Return the names of the limits that a working back end does not keep here."""
    return [item.name for item in probe.protections if item.name in _LIMITS and not item.works]


def _first_line(choice: str, probe: Probe, alone: bool) -> str:
    """Return a short line with the choice and the promises that it does not keep."""
    lost = [LOAD.name] * (not alone) + [item.name for item in probe.protections if not item.works]
    more = [f"{len(lost) - _MOST_NAMED} more"] if len(lost) > _MOST_NAMED else []
    told = f"; not kept here: {', '.join([*lost[:_MOST_NAMED], *more])} (grader doctor tells more)"
    return f"{choice}{told if lost else ''}"


def _why(probe: Probe) -> str:
    return f"{probe.reason}; to get it, {probe.advice}" if probe.advice else probe.reason


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
    Promise("desktop", "hears of one made-up desktop, the same in every box", True, True, True),
    Promise("sight", "sees no process outside of its box", True, True, "landlock"),
    Promise("signals", "signals no process outside of its box", True, True, "scopes"),
    Promise("runner", "reaches its box's own runner by no signal, trace or file", True, True, "scopes"),
    Promise("network", "opens no socket of any family", "filter", "filter", "filter"),
    Promise("calls", "reaches no dangerous system call", "filter", "filter", "filter"),
    Promise(
        "silence",
        "tells another box nothing by locks, queues and counters",
        "filter",
        "filter and memory",
        False,
    ),
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
    known = guard.landlock_version()
    found = {
        "landlock": known >= 1,
        "scopes": known >= 6,
        "filter": guard.can_filter(),
        "tmpfs": contents.in_memory(),
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
