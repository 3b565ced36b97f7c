"""Scores sent to a platform: Assignment and Grade Services 2.0, with a token that a signed request earns."""

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
from grader.serve.lti.keys import assertion
from grader.serve.lti.outward import NoAnswerError, PlatformAnswer, ask
from grader.serve.lti.platforms import RegisteredPlatform
from grader.serve.lti.who import SCORE
from grader.serve.store.outbox import OutboxItem

_CANVAS: Final = "https://canvas.instructure.com/lti/submission"
_SCORE_TYPE: Final = "application/vnd.ims.lis.v1.score+json"
_FORM_TYPE: Final = "application/x-www-form-urlencoded"
_ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_RENEWED_SECONDS: Final = 60.0
"""Before a token ends, another one is asked for."""
_LONGEST_TOKEN: Final = 16 * 1024


class AskPlatform(Protocol):
    """How a platform is asked."""

    def __call__(self, url: str, *, data: bytes, headers: dict[str, str]) -> PlatformAnswer:
        """POST it."""


@dataclass(frozen=True, slots=True)
class _Token:
    value: str
    expires: float


class Scores:
    """What sends scores, for one thread; it keeps the tokens of platforms until they end."""

    def __init__(
        self, key: RSAKey, *, ask: AskPlatform = ask, jti: Callable[[], str] = secrets.token_urlsafe
    ) -> None:
        self._key, self._ask, self._jti = key, ask, jti
        self._tokens: dict[int, _Token] = {}

    def post(self, platform: RegisteredPlatform, item: OutboxItem, now: float) -> PlatformAnswer:
        """Send a score; whatever the platform answers.

        Raises PlatformError where it was not sent, and NoAnswerError where nobody knows what became of it.
        """
        token = self._token(platform, now)
        answer = self._ask(
            scores_url(item.lineitem),
            data=json.dumps(message(item)).encode(),
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
        signed = assertion(self._key, client_id=platform.client_id, audience=url, jti=self._jti(), now=now)
        form = {
            "grant_type": "client_credentials",
            "client_assertion_type": _ASSERTION_TYPE,
            "client_assertion": signed,
            "scope": SCORE,
        }
        data = urllib.parse.urlencode(form).encode()
        headers = {"Content-Type": _FORM_TYPE, "Accept": "application/json"}
        try:
            answer = self._ask(url, data=data, headers=headers)
        except NoAnswerError as error:
            raise PlatformError(str(error)) from error  # there was no score in it
        if not 200 <= answer.status < 300:
            raise PlatformError(
                f"the platform gave no token to send scores with (it answered {answer.status}): "
                "see whether it knows the keys of this service, and lets it use the service for grades"
            )
        return _read(answer.json(), now)


def _read(answer: Any, now: float) -> _Token:
    value = answer.get("access_token") if isinstance(answer, dict) else None
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TOKEN or not _is_plain(value):
        raise PlatformError("expected a token from the platform (access_token), got something else")
    seconds = answer.get("expires_in")
    usable = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 < seconds < 1e6
    return _Token(value, now + (float(seconds) if usable else 0.0))


def _is_plain(value: str) -> bool:
    """Whether it may stand in a header."""
    return value.isascii() and value.isprintable() and " " not in value


def scores_url(lineitem: str) -> str:
    """Where scores of a line item go: /scores belongs to the path, before what is asked after it (Moodle)."""
    parts = urllib.parse.urlsplit(lineitem)
    return urllib.parse.urlunsplit(parts._replace(path=f"{parts.path}/scores"))


def message(item: OutboxItem) -> dict[str, object]:
    """A score as the platform takes it; its time stamp is the one of the mark, the same at every try.

    The time of the attempt stands where the standard has it, and where Canvas looks for it: that makes a new
    submission unless it is told that this is none, and one of now unless it is told of when.
    """
    handed_in = _time(item.handed_in)
    return {
        "userId": item.subject,
        "scoreGiven": item.score,
        "scoreMaximum": item.max_score,
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
        "timestamp": _time(item.stamp),
        "submission": {"submittedAt": handed_in},
        _CANVAS: {"new_submission": item.is_new_attempt, "submitted_at": handed_in},
    }


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
