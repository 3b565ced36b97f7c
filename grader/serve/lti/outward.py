"""Requests that this service makes to learning platforms: bounded in time, in size, and in where they may
lead.

Only https, plain http to this machine alone (a platform in a test, or beside the service). A redirect is
followed for a GET and on the same host; a request with a secret in it is never sent on.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from typing import IO, Any, Final

from grader.errors import PlatformError

PATIENCE_SECONDS: Final = 10.0
"""How long a platform may take for an answer, from the first byte sent to the last one read."""
LARGEST_BYTES: Final = 256 * 1024
_PIECE_BYTES: Final = 16 * 1024
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_LONGEST_ADDRESS: Final = 2048


@dataclass(frozen=True)
class Answer:
    """What a platform answered: any status, refusals too."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON. Raises PlatformError."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise PlatformError("expected JSON from the platform, got something else") from None


def check_address(url: str, what: str) -> str:
    """The address, where it may be asked: https, or http to this machine. Raises PlatformError."""
    try:
        parts = urllib.parse.urlsplit(url)
        host = parts.hostname if parts.username is None and parts.port != 0 else None
    except ValueError:
        host = None
    is_plain = len(url) <= _LONGEST_ADDRESS and url.isascii() and url.isprintable() and " " not in url
    if host and is_plain and (parts.scheme == "https" or (parts.scheme == "http" and host in _LOCAL)):
        return url
    raise PlatformError(f"expected {what} to be an address that starts with https://, got {url[:200]!r}")


def ask(
    url: str,
    *,
    data: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    patience: float = PATIENCE_SECONDS,
) -> Answer:
    """GET, or POST what is given. Raises PlatformError where no answer comes, or more than one may hold."""
    host = urllib.parse.urlsplit(check_address(url, "what is asked")).hostname
    request = urllib.request.Request(url, data=data, headers=dict(headers or {}))  # noqa: S310 - checked above
    end = time.monotonic() + patience
    try:
        with _OPENER.open(request, timeout=patience) as response:
            return Answer(response.status, _lower(response.headers), _read(response, end))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, _lower(error.headers), _read(error, end))
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise PlatformError(f"{host} did not answer: {reason}") from error


def _lower(headers: Message) -> Mapping[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _read(response: Any, end: float) -> bytes:
    """The body, up to what one may hold, and until the time is over, however the bytes trickle."""
    body = bytearray()
    while piece := response.read1(_PIECE_BYTES):
        body += piece
        if len(body) > LARGEST_BYTES:
            raise PlatformError(f"expected at most {LARGEST_BYTES // 1024} KiB from the platform, got more")
        if time.monotonic() > end:
            raise PlatformError("the platform took too long for its answer")
    return bytes(body)


class _SameHost(urllib.request.HTTPRedirectHandler):
    """Follows a redirect of a GET to the same scheme, host and port; any other is an answer as it is."""

    max_redirections = 3

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """The request to go on with, or None."""
        if (
            req.get_method() != "GET"
            or req.has_header("Authorization")
            or _origin(newurl) != _origin(req.full_url)
        ):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _origin(url: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.netloc


_OPENER: Final = urllib.request.build_opener(_SameHost)
