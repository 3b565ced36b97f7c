"""The requests of the services of LTI Advantage: scores, line items (AGS 2.0), and members (NRPS 2.0).

Requests carry a token, which the platform gives for a signed one. Some platforms, such as Brightspace, do not
name the line item in a launch: it is looked for by its link among those of the course, and made if there is
none.
"""

from __future__ import annotations

import json
import re
import secrets
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from joserfc.jwk import RSAKey

from grader.errors import PlatformError
from grader.serve.lti.claims import LINE_ITEM, SCORE
from grader.serve.lti.deep_linking import REVIEWABLE
from grader.serve.lti.keys import sign
from grader.serve.lti.platform_requests import NoAnswerError, PlatformAnswer, check_url, send_request
from grader.serve.lti.platforms import RegisteredPlatform
from grader.serve.store.outbox import LinkPlace, OutboxItem

_CANVAS: Final = "https://canvas.instructure.com/lti/submission"
"""Canvas defines this extension of a score message."""
_SCORE_TYPE: Final = "application/vnd.ims.lis.v1.score+json"
_LINE_ITEM_TYPE: Final = "application/vnd.ims.lis.v2.lineitem+json"
_NEXT: Final = re.compile(r'<([^>]*)>[^,]*;\s*rel="?next"?')
"""Matches the address of the next page in a Link header."""
_MOST_PAGES: Final = 50
"""At most 50 pages of a list are read."""
MEMBERS: Final = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
_NO_LINE_ITEM: Final = "no line item of the link was found or made"
_LISTS: Final = {
    LINE_ITEM: ("application/vnd.ims.lis.v2.lineitemcontainer+json", _NO_LINE_ITEM),
    MEMBERS: ("application/vnd.ims.lti-nrps.v2.membershipcontainer+json", "the members were not listed"),
}
"""The type of each list, and what a refusal means, by its scope."""
_MEMBERS_A_PAGE: Final = 100
"""A platform is asked for 100 members at once; it may give fewer."""
_FORM_TYPE: Final = "application/x-www-form-urlencoded"
_ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_ASSERTION_SECONDS: Final = 300
"""A signed request for a token (RFC 7523) is valid for 300 seconds."""
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


class PlatformClient:
    """A client of the platforms' services, which caches their tokens until they expire."""

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
        url, headers = scores_url(item.lineitem), {"Content-Type": _SCORE_TYPE}
        return self._ask(platform, SCORE, now, url, content, headers)

    def find_lineitem(
        self, platform: RegisteredPlatform, place: LinkPlace, title: str, max_score: float, now: float
    ) -> str:
        """Return the URL of the line item of a link, which is made if there is none. Raises PlatformError."""
        try:
            url = _with_query(place.container, resource_link_id=place.link)
            for item in self._list(platform, LINE_ITEM, now, url):
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
            answer = self._ask(platform, LINE_ITEM, now, place.container, content, headers)
            return _lineitem_url(_json(answer, _NO_LINE_ITEM))
        except NoAnswerError as error:
            raise PlatformError(str(error)) from error  # there was no score in it

    def list_members(self, platform: RegisteredPlatform, url: str, now: float) -> Iterator[dict[str, Any]]:
        """Yield the members of a course at the platform. Raises PlatformError."""
        return self._list(platform, MEMBERS, now, _with_query(url, limit=str(_MEMBERS_A_PAGE)))

    def _list(
        self, platform: RegisteredPlatform, scope: str, now: float, url: str
    ) -> Iterator[dict[str, Any]]:
        """Yield the entries of all pages of a list. Raises PlatformError, also for too many pages."""
        kind, refused = _LISTS[scope]
        for _ in range(_MOST_PAGES):
            answer = self._ask(platform, scope, now, url, None, {"Accept": kind})
            page = _json(answer, refused)
            found = page.get("members") if isinstance(page, dict) else page
            yield from (item for item in (found if isinstance(found, list) else ()) if isinstance(item, dict))
            following = _NEXT.search(answer.headers.get("link", ""))
            if following is None:
                return
            url = check_url(urllib.parse.urljoin(url, following[1]), "the next page of a list")
        raise PlatformError(f"expected at most {_MOST_PAGES} pages of a list from the platform, got more")

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
        send = platform.bound(self._send)
        answer = send(url, data=data, headers={"Authorization": f"Bearer {known.value}", **headers})
        if answer.status in (401, 403):
            self._tokens.pop((platform.id, scope), None)
        return answer

    def _ask_for_token(self, platform: RegisteredPlatform, scope: str, now: float) -> _Token:
        url = platform.token_url
        client_id, audience, more = platform.client_id, platform.audience or url, {"jti": self._jti()}
        signed = sign(
            self._key, more, client_id=client_id, audience=audience, seconds=_ASSERTION_SECONDS, now=now
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
            answer = platform.bound(self._send)(url, data=data, headers=headers)
        except NoAnswerError as error:
            raise PlatformError(str(error)) from error  # there was no score in it
        if not answer.is_success:
            raise PlatformError(
                f"the platform gave no token ({answer.refusal}): see whether it knows the keys of this "
                "service, wants another audience, and lets it use the services for grades and for names"
            )
        return _parse_token(answer.json(), now)


def _json(answer: PlatformAnswer, refused: str) -> Any:
    """Return the JSON of an answer. Raises PlatformError if it is a refusal, or none."""
    if not answer.is_success:
        raise PlatformError(f"{refused}: {answer.refusal}")
    return answer.json()


def _with_query(url: str, **more: str) -> str:
    """Return a URL with more parameters."""
    parts = urllib.parse.urlsplit(url)
    query = "&".join(filter(None, (parts.query, urllib.parse.urlencode(more))))
    return urllib.parse.urlunsplit(parts._replace(query=query))


def _lineitem_url(item: Any) -> str:
    """Return the URL of a line item, which is its id. Raises PlatformError."""
    url = item.get("id") if isinstance(item, dict) else None
    return check_url(url if isinstance(url, str) else "", "the id of the line item")


def _parse_token(answer: Any, now: float) -> _Token:
    value = answer.get("access_token") if isinstance(answer, dict) else None
    if not isinstance(value, str) or not value or not is_plain(value):
        raise PlatformError("expected a token from the platform (access_token), got something else")
    seconds = answer.get("expires_in")
    usable = isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 < seconds < 1e6
    return _Token(value, now + (float(seconds) if usable else 0.0))


def is_plain(value: str) -> bool:
    """Tell whether a token may be used in a header."""
    return len(value) <= _LONGEST_TOKEN and value.isascii() and value.isprintable() and " " not in value


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
