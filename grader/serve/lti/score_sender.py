"""Sends the scores in the outbox by Assignment and Grade Services 2.0, and retries those that did not arrive.

Each platform has a thread of its own: a platform that hangs delays only its own scores, and gets a pause.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event, Thread
from typing import Final

from grader.errors import GraderError, PlatformError
from grader.serve.lti import platforms
from grader.serve.lti.platform_client import PlatformClient
from grader.serve.lti.platform_requests import NoAnswerError, PlatformAnswer
from grader.serve.store import outbox
from grader.serve.store.database import Store
from grader.serve.store.outbox import OutboxItem

FIRST_PAUSE_SECONDS: Final = 15.0
"""The first retry comes after 15 seconds; the pause doubles after each try."""
LONGEST_PAUSE_SECONDS: Final = 3600.0
"""The pause between two tries grows to at most 3600 seconds."""
LONGEST_RETRY_AFTER_SECONDS: Final = 86400.0
"""A platform's Retry-After is respected up to 86400 seconds."""
MOST_TRIES: Final = 80
"""A score is given up after 80 tries, which take about three days."""
_LOOK_SECONDS: Final = 1.0
"""The outbox is checked every second."""
_OUTDATED: Final = 409
"""The platform answers 409 if it has a score that is as new: Moodle compares time stamps in whole seconds."""
_NO_MORE_ATTEMPTS: Final = 422
"""Canvas answers 422 if the allowed attempts are used up; it accepts the score without a new submission."""
_MOST_LANES: Final = 16
"""At most 16 platforms are sent scores at the same time."""
_GONE: Final = 404
"""A platform answers 404 if the line item was deleted."""
_LOG: Final = logging.getLogger(__name__)


def send_score(store: Store, scores: PlatformClient, item: OutboxItem, now: float) -> bool:
    """Send a score and record the result; return whether the platform answered."""
    try:
        platform = platforms.get(store, item.platform)
        if not item.lineitem:
            place = outbox.find_link(store, item.person)
            if place is None:
                raise PlatformError("the student opened another link meanwhile")
            url = scores.find_lineitem(platform, place, item.title, item.max_score, now)
            outbox.move_link(store, place, "", url)
            item = replace(item, lineitem=url)
        answer = scores.post(platform, item, now)
    except PlatformError as error:
        if isinstance(error, NoAnswerError):  # it may have it: another submission would use up an attempt
            outbox.mark_announced(store, item)
        outbox.mark_failed(store, item, error=str(error), next_at=_next_try_at(item.tries, now, 0.0))
        return False
    if answer.is_success:
        outbox.mark_sent(store, item, now)
    else:
        _record_refusal(store, item, answer, now)
    return True


def _record_refusal(store: Store, item: OutboxItem, answer: PlatformAnswer, now: float) -> None:
    """Record what a platform said, and when to try again: somebody may put it right there."""
    again = _next_try_at(item.tries, now, _parse_retry_after(answer, now))
    if answer.status == _NO_MORE_ATTEMPTS and item.is_new_attempt:
        outbox.mark_announced(store, item)
    if answer.status == _OUTDATED and again is not None:
        outbox.mark_outdated(store, item, error=answer.refusal, next_at=again)
    else:
        outbox.mark_failed(store, item, error=answer.refusal, next_at=again)
    if answer.status == _GONE and (place := outbox.find_link(store, item.person)):
        outbox.move_link(store, place, item.lineitem, "")


def _next_try_at(tries: int, now: float, wished: float) -> float | None:
    """Return the time of the next try, after a pause that doubles; None after the last try."""
    if tries >= MOST_TRIES:
        return None
    pause = min(FIRST_PAUSE_SECONDS * 2.0 ** min(tries - 1, 20), LONGEST_PAUSE_SECONDS)
    return now + max(pause, min(wished, LONGEST_RETRY_AFTER_SECONDS))


def _parse_retry_after(answer: PlatformAnswer, now: float) -> float:
    """Return the seconds of a Retry-After header, which holds a number or a date; 0 without one."""
    text = answer.headers.get("retry-after", "")
    if text.isdecimal() and text.isascii():
        return float(text[:9])
    try:
        return (parsedate_to_datetime(text) - datetime.fromtimestamp(now, UTC)).total_seconds()
    except (ValueError, TypeError):
        return 0.0


class ScoreSender(Thread):
    """The thread that empties the outbox while the service runs, with one more thread for each platform."""

    def __init__(
        self, store: Store, scores: PlatformClient, *, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(name="scores", daemon=True)
        self._store, self._scores, self._clock, self._ended = store, scores, clock, Event()
        self._lanes: dict[int, Future[float]] = {}
        """The running tasks, by platform; the result of one is the earliest time for the next."""

    def run(self) -> None:
        """Send the scores that are due, and look again every second."""
        with ThreadPoolExecutor(_MOST_LANES, "scores") as pool:
            while not self._ended.is_set():
                try:
                    now = self._clock()
                    outbox.add_changed_marks(self._store, now)
                    for platform in outbox.platforms_due(self._store, now):
                        lane = self._lanes.get(platform)
                        if lane is None or (lane.done() and lane.result() <= now):
                            self._lanes[platform] = pool.submit(self._empty, platform)
                except (GraderError, sqlite3.Error):
                    _LOG.exception("failed to find out which scores are due; trying again")
                self._ended.wait(_LOOK_SECONDS)
        self._store.close()

    def _empty(self, platform: int) -> float:
        """Send all due scores to a platform, until it does not answer; return when to start again."""
        try:
            while not self._ended.is_set():
                now = self._clock()
                item = outbox.take(self._store, now, platform)
                if item is None:
                    return now
                if not send_score(self._store, self._scores, item, now):
                    break
        except (GraderError, sqlite3.Error):
            _LOG.exception("failed to send a score; trying again")
        finally:
            self._store.close()
        return self._clock() + FIRST_PAUSE_SECONDS

    def end(self) -> None:
        """Stop when the scores that are being sent are done."""
        self._ended.set()
        self.join()
