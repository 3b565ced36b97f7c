"""Sends the scores in the outbox by Assignment and Grade Services 2.0, and retries those that did not arrive.

Each platform has a thread of its own: a platform that hangs delays only its own scores, and gets a pause.

Requests carry a token, which the platform gives for a signed one. Some platforms, such as Brightspace, do not
name the line item in a launch: it is looked for by its link among those of the course, and made if there is
none.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sqlite3
import time
import urllib.parse
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event, Thread
from typing import Any, Final, Protocol

from joserfc.jwk import RSAKey

from grader.errors import GraderError, PlatformError
from grader.serve.lti import platforms
from grader.serve.lti.claims import LINE_ITEM, SCORE, sign_assertion
from grader.serve.lti.deep_linking import REVIEWABLE
from grader.serve.lti.platforms import (
    NoAnswerError,
    PlatformAnswer,
    RegisteredPlatform,
    check_url,
    send_request,
)
from grader.serve.store import outbox
from grader.serve.store.database import Store
from grader.serve.store.outbox import LinkPlace, OutboxItem

_CANVAS: Final = "https://canvas.instructure.com/lti/submission"
"""Canvas defines this extension of a score message."""
_SCORE_TYPE: Final = "application/vnd.ims.lis.v1.score+json"
_LINE_ITEM_TYPE: Final = "application/vnd.ims.lis.v2.lineitem+json"
_LINE_ITEMS_TYPE: Final = "application/vnd.ims.lis.v2.lineitemcontainer+json"
_NEXT: Final = re.compile(r'<([^>]*)>[^,]*;\s*rel="?next"?')
"""Matches the address of the next page in a Link header."""
_MOST_PAGES: Final = 20
"""At most 20 pages of line items are read."""
_FORM_TYPE: Final = "application/x-www-form-urlencoded"
_ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_RENEWED_SECONDS: Final = 60.0
"""A new token is requested 60 seconds before the old one expires."""
_LONGEST_TOKEN: Final = 16 * 1024
"""A token may have at most 16 Ki characters."""


class SendRequest(Protocol):
    """A function that sends a request to a platform."""

    def __call__(self, url: str, *, data: bytes | None, headers: dict[str, str]) -> PlatformAnswer:
        """Send a POST request, or a GET request without ``data``, and return the answer."""


@dataclass(frozen=True, slots=True)
class _Token:
    value: str
    expires: float


class ScoreClient:
    """A client that sends scores, and caches the tokens of platforms until they expire."""

    def __init__(
        self, key: RSAKey, *, send: SendRequest = send_request, jti: Callable[[], str] = secrets.token_urlsafe
    ) -> None:
        self._key, self._send, self._jti = key, send, jti
        self._tokens: dict[tuple[int, str], _Token] = {}
        """The tokens, by platform and scope."""

    def post(self, platform: RegisteredPlatform, item: OutboxItem, now: float) -> PlatformAnswer:
        """Send a score and return the answer, with any status.

        Raises PlatformError if it was not sent, NoAnswerError if it is unknown whether it arrived.
        """
        content = json.dumps(score_message(item)).encode()
        return self._ask(
            platform, SCORE, now, scores_url(item.lineitem), content, {"Content-Type": _SCORE_TYPE}
        )

    def find_lineitem(
        self, platform: RegisteredPlatform, place: LinkPlace, title: str, max_score: float, now: float
    ) -> str:
        """Return the URL of the line item of a link, which is made if there is none. Raises PlatformError."""
        try:
            for item in self._lineitems(platform, place, now):
                if item.get("resourceLinkId") == place.link:
                    return _lineitem_url(item)
            made = {
                "label": title,
                "scoreMaximum": max_score,
                "resourceLinkId": place.link,
                "submissionReview": REVIEWABLE,
            }
            headers = dict.fromkeys(("Content-Type", "Accept"), _LINE_ITEM_TYPE)
            content = json.dumps(made).encode()
            return _lineitem_url(
                _json(self._ask(platform, LINE_ITEM, now, place.container, content, headers))
            )
        except NoAnswerError as error:
            raise PlatformError(str(error)) from error  # there was no score in it

    def _lineitems(
        self, platform: RegisteredPlatform, place: LinkPlace, now: float
    ) -> Iterator[dict[str, Any]]:
        """Yield the line items of the course, or those of the link where the platform can tell."""
        parts = urllib.parse.urlsplit(place.container)
        wanted = urllib.parse.urlencode({"resource_link_id": place.link})
        url = urllib.parse.urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, wanted)))))
        for _ in range(_MOST_PAGES):
            answer = self._ask(platform, LINE_ITEM, now, url, None, {"Accept": _LINE_ITEMS_TYPE})
            found = _json(answer)
            yield from (item for item in (found if isinstance(found, list) else ()) if isinstance(item, dict))
            following = _NEXT.search(answer.headers.get("link", ""))
            if following is None:
                return
            url = check_url(urllib.parse.urljoin(url, following[1]), "the next page of line items")

    def _ask(
        self,
        platform: RegisteredPlatform,
        scope: str,
        now: float,
        url: str,
        data: bytes | None,
        headers: dict[str, str],
    ) -> PlatformAnswer:
        """Send a request with a token for a scope; a token that is refused is not used again."""
        known = self._tokens.get((platform.id, scope))
        if known is None or known.expires <= now + _RENEWED_SECONDS:
            known = self._tokens[platform.id, scope] = self._ask_for_token(platform, scope, now)
        answer = self._send(url, data=data, headers={"Authorization": f"Bearer {known.value}", **headers})
        if answer.status in (401, 403):
            self._tokens.pop((platform.id, scope), None)
        return answer

    def _ask_for_token(self, platform: RegisteredPlatform, scope: str, now: float) -> _Token:
        url = platform.token_url
        signed = sign_assertion(
            self._key,
            client_id=platform.client_id,
            audience=platform.audience or url,
            jti=self._jti(),
            now=now,
        )
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": _ASSERTION_TYPE,
            "client_assertion": signed,
            "scope": scope,
        }
        data = urllib.parse.urlencode(form).encode()
        headers = {"Content-Type": _FORM_TYPE, "Accept": "application/json"}
        try:
            answer = self._send(url, data=data, headers=headers)
        except NoAnswerError as error:
            raise PlatformError(str(error)) from error  # there was no score in it
        if not answer.is_success:
            raise PlatformError(
                f"the platform gave no token to send scores with ({answer.refusal}): see whether it knows "
                "the keys of this service, wants another audience, and lets it use the service for grades"
            )
        return _parse_token(answer.json(), now)


def _json(answer: PlatformAnswer) -> Any:
    """Return the JSON of an answer about line items. Raises PlatformError if it is a refusal, or none."""
    if not answer.is_success:
        raise PlatformError(f"no line item of the link was found or made: {answer.refusal}")
    return answer.json()


def _lineitem_url(item: Any) -> str:
    """Return the URL of a line item, which is its id. Raises PlatformError."""
    url = item.get("id") if isinstance(item, dict) else None
    return check_url(url if isinstance(url, str) else "", "the id of the line item")


def _parse_token(answer: Any, now: float) -> _Token:
    value = answer.get("access_token") if isinstance(answer, dict) else None
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TOKEN or not _is_plain(value):
        raise PlatformError("expected a token from the platform (access_token), got something else")
    seconds = answer.get("expires_in")
    usable = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 < seconds < 1e6
    return _Token(value, now + (float(seconds) if usable else 0.0))


def _is_plain(value: str) -> bool:
    """Tell whether a text may be used in a header."""
    return value.isascii() and value.isprintable() and " " not in value


def scores_url(lineitem: str) -> str:
    """Return the URL for the scores of a line item: /scores is added to the path, before any query
    (Moodle)."""
    parts = urllib.parse.urlsplit(lineitem)
    return urllib.parse.urlunsplit(parts._replace(path=f"{parts.path}/scores"))


def score_message(item: OutboxItem) -> dict[str, object]:
    """Return a score message for the platform; its time stamp is that of the mark, the same at every try.

    The time of the attempt is given twice: as the standard defines it, and as Canvas expects it. Canvas makes
    a new submission for a score unless ``new_submission`` is false, dated now unless ``submitted_at`` is set.
    """
    handed_in = _format_time(item.handed_in)
    return {
        "userId": item.subject,
        "scoreGiven": item.score,
        "scoreMaximum": item.max_score,
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
        "timestamp": _format_time(item.stamp),
        "submission": {"submittedAt": handed_in},
        _CANVAS: {"new_submission": item.is_new_attempt, "submitted_at": handed_in},
    }


def _format_time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


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


def send_score(store: Store, scores: ScoreClient, item: OutboxItem, now: float) -> bool:
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
        if isinstance(
            error, NoAnswerError
        ):  # it may well have it: another submission would use up an attempt
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

    def __init__(self, store: Store, scores: ScoreClient, *, clock: Callable[[], float] = time.time) -> None:
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
