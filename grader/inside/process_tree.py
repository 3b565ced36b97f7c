"""The runner's hold on the processes that it starts: none of a round may outlive it.

In a process namespace of its own (docker, bubblewrap) the runner is process 1: it gets no signal from
inside that it has not asked for, everything that it may signal is the submission's, and orphans come
to it. Without one the runner is made the parent of all orphans among its descendants,
so that a double fork does not get away.
"""

from __future__ import annotations

import os
import signal
from time import sleep
from typing import Final

_PR_SET_DUMPABLE: Final = 4
_PR_SET_CHILD_SUBREAPER: Final = 36
_M_ARENA_MAX: Final = -8
_TRIES: Final = 200
"""A tree is killed and reaped at most 200 times, until nothing is left of it."""
_PAUSE_SECONDS: Final = 0.0002
_LONGEST_PAUSE_SECONDS: Final = 0.01
"""The pause between two tries is 0.2 ms at first, twice as long each time, and 10 ms at most."""


def prepare_self(*, adopt_orphans: bool) -> None:
    """Keep other processes of the same user out of this one's memory, where the system can.

    No signal gets a handler: Python's own for SIGINT would let that one through to process 1.
    Threads are made to share one heap: each would set aside 64 MiB of address space for its own,
    and a child's is limited.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        import ctypes

        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
        if adopt_orphans:
            libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.mallopt(_M_ARENA_MAX, 1)
    except (ImportError, OSError, AttributeError):  # not Linux, or not glibc
        return


def end_tree(child: int, *, own_namespace: bool) -> None:
    """Kill and reap what is left of a round; ``child`` led its process group."""
    _signal_group(child)
    pause = _PAUSE_SECONDS
    for _ in range(_TRIES):
        _reap()
        if not (_kill_all() if own_namespace else _kill_children()):
            return
        sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)


def _signal_group(child: int) -> None:
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        return


def _kill_all() -> bool:
    """Signal every process but this one and process 1; tell whether there was any."""
    try:
        os.kill(-1, signal.SIGKILL)
    except OSError:
        return False
    return True


def _kill_children() -> bool:
    """Signal all children, orphans that were adopted among them; tell whether there was any."""
    me = os.getpid()
    try:
        with open(f"/proc/{me}/task/{me}/children", "rb") as children:  # noqa: PTH123
            pids = [int(pid) for pid in children.read().split()]
    except OSError:
        return False
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue
    return bool(pids)


def _reap() -> None:
    """Take the exit status of every process that has ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return
