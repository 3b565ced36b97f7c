"""What each back end promises: one table, shown by ``grader doctor`` and tested by the tests.

A promise holds always, never, or if the machine has a feature; how to get a feature is stated in one place,
too. For every promise there are hostile programs in tests/grader/sandbox.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grader.inside import landlock, seccomp
from grader.sandbox import cache, cgroup, delegation
from grader.sandbox.base import Protection


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
    return frozenset(name for name, there in found.items() if there) | delegation.controllers()


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
        why = [delegation.obstacle()] if not set(cgroup.CONTROLLERS).isdisjoint(lacking) else []
        return "; ".join([*why, *(ADVICE[name] for name in lacking)])
    return f"take {' or '.join(name for name in ('docker', 'bubblewrap') if getattr(promise, name))}"
