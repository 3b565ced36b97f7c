"""Calls of student's code that have no end, or nearly: each is stopped, and what comes after it is untouched.

Any Python runs this file by itself: ``python tests/lab/stopped_calls.py``.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

from lab import worker


def loop() -> None:
    """Go on for ever."""
    while True:
        pass


def _stubborn() -> None:
    while True:
        with contextlib.suppress(Exception):
            time.sleep(0.001)


def _catches_all() -> None:
    while True:
        try:
            for _ in range(1000):
                pass
        except:  # noqa: E722, S110 - as students write
            pass


def _generates() -> None:
    def ones() -> Iterator[int]:
        while True:
            yield 1

    for _ in ones():
        pass


def _maps() -> None:
    for _ in map(lambda number: number, itertools.count()):  # noqa: C417 - a function that C calls
        pass


def _nested() -> None:
    worker.run(loop, seconds=60.0)


def _meddles() -> None:
    if hasattr(sys, "monitoring"):
        sys.monitoring.free_tool_id(4)
    with contextlib.suppress(ValueError):  # outside the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)


_ENDLESS: tuple[Callable[[], None], ...] = (loop, _stubborn, _catches_all, _generates, _maps, _nested)


def main() -> None:
    """Stop each of the calls. Raises AssertionError if one is not told as one that took too long."""
    before = signal.getsignal(signal.SIGINT), sys.getrecursionlimit()
    worker.run(_meddles)
    for call in _ENDLESS:
        assert _name_of_stopped(call, seconds=0.1) != "", call
    assert worker.run(lambda: _name_of_stopped(loop, seconds=0.1), seconds=60.0) == "loop"
    assert _name_of_interrupted() == "loop"
    assert worker.run(lambda: 42, seconds=60.0) == 42
    assert (signal.getsignal(signal.SIGINT), sys.getrecursionlimit()) == before


def _name_of_stopped(call: Callable[[], None], *, seconds: float) -> str:
    """Return the function in which a call was stopped."""
    try:
        worker.run(call, seconds=seconds)
    except worker.TookTooLong as stopped:
        return stopped.trace[-1].name
    return ""


def _name_of_interrupted() -> str:
    """Return the function in which Ctrl-C stopped a loop."""

    def interrupted() -> None:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        loop()

    try:
        worker.run(interrupted)
    except worker.Interrupted as stopped:
        return stopped.trace[-1].name
    return ""


if __name__ == "__main__":
    main()
