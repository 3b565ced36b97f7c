"""Sends scores to platforms by Assignment and Grade Services 2.0, with a token for a signed request."""

from __future__ import annotations

import json
import secrets
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from joserfc.jwk import RSAKey

from grader.errors import PlatformError
from grader.serve.lti.launch import SCORE
from grader.serve.lti.own_key import sign_assertion
from grader.serve.lti.platform_requests import NoAnswerError, PlatformAnswer, send_request
from grader.serve.lti.platforms import RegisteredPlatform
from grader.serve.store.outbox import OutboxItem

_CANVAS: Final = "https://canvas.instructure.com/lti/submission"
"""Canvas defines this extension of a score message."""
_SCORE_TYPE: Final = "application/vnd.ims.lis.v1.score+json"
_FORM_TYPE: Final = "application/x-www-form-urlencoded"
_ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_RENEWED_SECONDS: Final = 60.0
"""A new token is requested 60 seconds before the old one expires."""
_LONGEST_TOKEN: Final = 16 * 1024
"""A token may have at most 16 Ki characters."""


class SendRequest(Protocol):
    """A function that sends a request to a platform."""

    def __call__(self, url: str, *, data: bytes, headers: dict[str, str]) -> PlatformAnswer:
        """Send a POST request and return the answer."""


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
        self._tokens: dict[int, _Token] = {}

    def post(self, platform: RegisteredPlatform, item: OutboxItem, now: float) -> PlatformAnswer:
        """Send a score and return the answer, with any status.

        Raises PlatformError if it was not sent, NoAnswerError if it is unknown whether it arrived.
        """
        token = self._token(platform, now)
        answer = self._send(
            scores_url(item.lineitem),
            data=json.dumps(score_message(item)).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": _SCORE_TYPE},
        )
        if answer.status in (401, 403):
            self._tokens.pop(platform.id, None)
        return answer

    def _token(self, platform: RegisteredPlatform, now: float) -> str:
        known = self._tokens.get(platform.id)
        if known is None or known.expires <= now + _RENEWED_SECONDS:
            known = self._tokens[platform.id] = self._ask_for_token(platform, now)
        return known.value

    def _ask_for_token(self, platform: RegisteredPlatform, now: float) -> _Token:
        url = platform.token_url
        signed = sign_assertion(
            self._key, client_id=platform.client_id, audience=url, jti=self._jti(), now=now
        )
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": _ASSERTION_TYPE,
            "client_assertion": signed,
            "scope": SCORE,
        }
        data = urllib.parse.urlencode(form).encode()
        headers = {"Content-Type": _FORM_TYPE, "Accept": "application/json"}
        try:
            answer = self._send(url, data=data, headers=headers)
        except NoAnswerError as error:
            raise PlatformError(str(error)) from error  # there was no score in it
        if not 200 <= answer.status < 300:
            raise PlatformError(
                f"the platform gave no token to send scores with (it answered {answer.status}): "
                "see whether it knows the keys of this service, and lets it use the service for grades"
            )
        return _parse_token(answer.json(), now)


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
