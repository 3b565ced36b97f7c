"""Sends what lies in the outbox, one score after the other, and again later what did not arrive."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event, Thread
from typing import Final

from grader.errors import GraderError, PlatformError
from grader.serve.lti import platforms
from grader.serve.lti.outward import Answer
from grader.serve.lti.scores import Scores
from grader.serve.store import outbox
from grader.serve.store.database import Store

FIRST_PAUSE_SECONDS: Final = 15.0
LONGEST_PAUSE_SECONDS: Final = 3600.0
LONGEST_WISH_SECONDS: Final = 86400.0
"""A platform that wants to be asked later than that is asked before."""
MOST_TRIES: Final = 80
"""About three days."""
_LOOK_SECONDS: Final = 1.0
_HAS_IT: Final = 409
"""It has this score, or a newer one: an earlier try arrived, and its answer got lost."""
_PASSING: Final = frozenset({401, 403, 408, 425, 429})
_LOG: Final = logging.getLogger(__name__)


def send_one(store: Store, scores: Scores, now: float) -> bool:
    """Send the score that waits longest; whether there was one."""
    outbox.collect(store, now)
    item = outbox.take(store, now)
    if item is None:
        return False
    try:
        answer = scores.post(platforms.get(store, item.platform), item, now)
    except PlatformError as error:
        outbox.failed(store, item, error=str(error), next_at=_next(item.tries, now, 0.0))
        return True
    if 200 <= answer.status < 300 or answer.status == _HAS_IT:
        outbox.sent(store, item, now)
    else:
        passing = answer.status in _PASSING or answer.status >= 500
        wish = _next(item.tries, now, _wished_pause(answer, now)) if passing else None
        outbox.failed(store, item, error=f"the platform answered {answer.status}", next_at=wish)
    return True


def _next(tries: int, now: float, wished: float) -> float | None:
    """When to try again: after a pause that doubles; None where it is enough."""
    if tries >= MOST_TRIES:
        return None
    pause = min(FIRST_PAUSE_SECONDS * 2.0 ** min(tries - 1, 20), LONGEST_PAUSE_SECONDS)
    return now + max(pause, min(wished, LONGEST_WISH_SECONDS))


def _wished_pause(answer: Answer, now: float) -> float:
    """The seconds that a platform wants to be left alone: a number, or a date."""
    text = answer.headers.get("retry-after", "")
    if text.isdecimal() and text.isascii():
        return float(text[:9])
    try:
        return (parsedate_to_datetime(text) - datetime.fromtimestamp(now, UTC)).total_seconds()
    except (ValueError, TypeError):
        return 0.0


class Sender(Thread):
    """The thread that empties the outbox for as long as the service runs."""

    def __init__(self, store: Store, scores: Scores, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(name="scores", daemon=True)
        self._store, self._scores, self._clock, self._ended = store, scores, clock, Event()

    def run(self) -> None:
        """Send what is due, then look again in a second."""
        while not self._ended.is_set():
            try:
                found = send_one(self._store, self._scores, self._clock())
            except (GraderError, sqlite3.Error):
                _LOG.exception("a score could not be sent, and is tried again")
                found = False
            if not found:
                self._ended.wait(_LOOK_SECONDS)
        self._store.close()

    def end(self) -> None:
        """Stop after the score that is being sent."""
        self._ended.set()
        self.join()
