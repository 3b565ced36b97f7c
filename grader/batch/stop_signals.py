"""Signals that ask the grader to stop: Ctrl-C, SIGTERM, and SIGHUP, sent when a terminal is closed.

Theory of operation. The first signal raises an exception, and everything that is open closes itself on its
way out. Signals that arrive meanwhile are ignored: they would interrupt that cleanup and leave workers and
boxes behind. All cleanup is bounded; should it still take longer than LONGEST_SECONDS, the next signal raises
again.

Pitfalls: Python swallows an exception that is raised in one of its own callbacks, such as a finalizer, and
reports it to ``sys.unraisablehook``; it is then raised once more. Between the start of a process and the line
that stores it, nobody could end that process: there, and while workers are ended, signals are deferred
(``signals_deferred``). The kernel may deliver a signal to another thread, so masking alone is not enough; a
fork needs it, too. Signals that were ignored when the grader was started, as by nohup, stay ignored.
"""

from __future__ import annotations

import atexit
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

ASKING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""These signals ask the grader to stop."""
LONGEST_SECONDS: Final = 30.0
"""How long further signals are ignored after the first, while everything is closed."""
_AGAIN_SECONDS: Final = 0.05


class Stopping:
    """A signal handler that raises once, then ignores further signals while that exception unwinds."""

    def __init__(self, make_error: Callable[[], BaseException]) -> None:
        self._make_error, self._since = make_error, float("-inf")
        self._told_before = sys.unraisablehook
        self.asked, self._held, self._came = False, 0, False

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        """Raise, unless signals are deferred or an earlier exception is still unwinding."""
        if self._held:
            self._came = True
            return
        now = time.monotonic()
        if now >= self._since + LONGEST_SECONDS:
            self.asked, self._since = True, now
            raise self._make_error()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Defer signals to the end of the block."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            came, self._came = self._came, self._came and self._held > 0
            if came and not self._held:
                self(0, None)

    def accept_signals(self) -> None:
        """Let the next signal raise again: the cleanup after the last one is done."""
        self._since = float("-inf")

    def watch(self) -> None:
        """Start raising again the exceptions that Python swallowed in its callbacks."""
        sys.unraisablehook = self._raise_again

    def unwatch(self) -> None:
        """Restore the hook for swallowed exceptions."""
        sys.unraisablehook = self._told_before

    def _raise_again(self, error: sys.UnraisableHookArgs) -> None:
        if self._since > float("-inf") and isinstance(error.exc_value, type(self._make_error())):
            self.accept_signals()
            signal.signal(signal.SIGALRM, self)
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)
        else:
            self._told_before(error)


_OF_THE_GRADER: Final = Stopping(KeyboardInterrupt)


def accept_signals() -> None:
    """Make the grader react to the next signal: the cleanup after the last one is done."""
    _OF_THE_GRADER.accept_signals()


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Raise KeyboardInterrupt in the block on a stop signal; no worker outlives it.

    After the first signal, others are ignored until the process has ended.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    stopping = _OF_THE_GRADER
    stopping.asked = False
    before = {each: signal.getsignal(each) for each in ASKING}
    stopping.watch()
    try:
        for each, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(each, stopping)
        yield
    finally:
        stopping.unwatch()
        if stopping.asked:
            from multiprocessing import active_children

            for child in active_children():  # Python would wait for them on exit
                child.kill()
                child.join()
            atexit.register(_ignore_until_exit)
        else:
            for each, handler in before.items():
                signal.signal(each, handler)


class StopRequests:
    """A signal handler that counts requests to stop; before ``has_begun``, the first one ends all at once."""

    def __init__(self) -> None:
        self.asked, self.has_begun = 0, False

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        """Count a request."""
        self.asked += 1
        if self.asked == 1 and not self.has_begun:
            raise KeyboardInterrupt


@contextmanager
def counted_stop_requests() -> Iterator[StopRequests]:
    """Count the requests to stop in the block; after the first, none that come behind it are heard."""
    stop = StopRequests()
    heard = [each for each in ASKING if signal.getsignal(each) is not signal.SIG_IGN]
    before = {each: signal.signal(each, stop) for each in heard}
    try:
        yield stop
    finally:
        if stop.asked:  # whoever asked is about to end
            _OF_THE_GRADER.asked, _OF_THE_GRADER._since = True, time.monotonic()
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Defer signals to the end of the block."""
    with _OF_THE_GRADER.held():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ASKING)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ignore_until_exit() -> None:
    """Ignore signals while Python shuts down and removes its handlers."""
    for each in ASKING:
        signal.signal(each, signal.SIG_IGN)
