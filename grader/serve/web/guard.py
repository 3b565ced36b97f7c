"""The checks that every request passes before a page handles it.

Theory of operation: another site can make a visitor's browser send any request. So a request that changes
something must come from this site (``Sec-Fetch-Site`` and ``Origin``), and contain the token of its sign-in
(cookies.py); the paths that other programs call, with a token or from a learning platform, ignore cookies
instead. ``--url`` defines the name of this site. Without it, the Host header does, but another site can point
its own name at this machine: so only names are accepted that cannot be used that way. The size and the time
of a body are limited while it arrives, before any of it is parsed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader.intake import Caps
from grader.serve.options import PORTS

BODY_BYTES: Final = Caps().archive_bytes // 4
"""An upload may have at most 16 MiB, a quarter of what intake accepts from the disk."""
KEPT_BYTES: Final = 16 * BODY_BYTES
"""The uploads of one person may take at most 256 MiB, enough for thousands of normal submissions."""
FORM_BYTES: Final = 64 * 1024
"""A form without files may have at most 64 KiB."""
PATIENCE_SECONDS: Final = 20.0
"""A body has 20 seconds to arrive, plus the time that its size allows."""
SLOWEST_BYTES_A_SECOND: Final = 8 * 1024
"""A body gets one more second for each 8 KiB that have arrived."""
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
"""Requests with these methods change nothing."""
PROGRAM_PATHS: Final = ("/api/", "/lti/")
"""Below these paths cookies are ignored, so that requests from other programs and sites are harmless."""
PUBLIC_PATHS: Final = "/static/"
"""The files below this path are public, such as the style sheet of the error pages."""
UPLOAD_PATHS: Final = ("/submit", "/api/submit", "/staff/export")
"""Requests to these paths may contain files."""


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """Limits on the size of a body and of a person's uploads (bytes), and on the time of a body (seconds)."""

    upload_bytes: int = BODY_BYTES
    form_bytes: int = FORM_BYTES
    kept_bytes: int = KEPT_BYTES
    patience_seconds: float = PATIENCE_SECONDS

    def most(self, path: str) -> int:
        """Return the most bytes that the body of a request for this path may have."""
        return self.upload_bytes if path in UPLOAD_PATHS else self.form_bytes


class Guard:
    """ASGI middleware that rejects requests that fail a check."""

    def __init__(
        self, app: ASGIApp, *, url: str = "", names: Collection[str] = (), limits: BodyLimits | None = None
    ) -> None:
        """Guard an application; ``url`` is its public URL, or else ``names`` are the host names of this
        machine."""
        self._app, self._url, self._names, self._limits = app, url, names, limits or BodyLimits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request and pass it on. Raises HTTPException."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, path = Headers(scope=scope), scope["path"]
        own = self._url or f"{scope.get('scheme', 'http')}://{headers.get('host', '')}"
        if not self._url and not path.startswith(PUBLIC_PATHS):
            check_host(own, self._names)
        if scope["method"] not in SAFE_METHODS and not path.startswith(PROGRAM_PATHS):
            check_origin(headers, own)
        check_charset(headers)
        most = self._limits.most(path)
        _check_length(headers, most)
        await self._app(scope, _Body(receive, most, self._limits.patience_seconds), send)


def check_host(own: str, names: Collection[str]) -> None:
    """Check that a request uses a host name that certainly belongs to this machine. Raises HTTPException."""
    found = parse_origin(own)
    host = found[1].rstrip(".") if found else ""
    if not (host == "localhost" or host.endswith(".localhost") or host in names or _is_number(host)):
        raise HTTPException(421, "host")


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def check_origin(headers: Headers, own: str) -> None:
    """Check that a request was sent by a page of this site. Raises HTTPException."""
    known, origin, fetched = parse_origin(own), headers.get("origin"), headers.get("sec-fetch-site")
    verdicts = [fetched == "same-origin"] if fetched is not None else []
    verdicts += [parse_origin(origin) == known] if origin is not None else []
    if known is None or not verdicts or not all(verdicts):
        raise HTTPException(403, "origin")


def parse_origin(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port, as browsers compare them; None for a URL without a host."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, PORTS[parts.scheme] if port is None else port


def check_charset(headers: Headers) -> None:
    """Check that the texts of a form are in UTF-8, as browsers send them. Raises HTTPException.

    Any other charset would be decoded by the Python codec of that name: punycode takes a minute for half a
    megabyte, in the one thread that serves everybody.
    """
    _, parameters = parse_options_header(headers.get("content-type", ""))
    if parameters.get(b"charset", b"utf-8").lower() not in (b"utf-8", b"utf8"):
        raise HTTPException(400, "wrong")


_LENGTH_DIGITS: Final = 18
"""A length of more than 18 digits is too large in any case; Python cannot parse one of thousands of
digits."""


def _check_length(headers: Headers, most: int) -> None:
    length = headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit():
        raise HTTPException(400, "length")
    if len(length) > _LENGTH_DIGITS or int(length) > most:
        raise _refuse_large_body()


def _refuse_large_body() -> HTTPException:
    """Return the refusal of a body that is too large, which closes the connection."""
    return HTTPException(413, "large", {"Connection": "close"})


class _Body:
    """Receives a body within its limits of size and time."""

    def __init__(self, receive: Receive, most: int, patience: float) -> None:
        self._receive, self._most, self._patience = receive, most, patience
        self._begun = asyncio.get_running_loop().time()
        self._came, self._is_whole = 0, False

    async def __call__(self) -> Message:
        """Return the next piece. Raises HTTPException if the body is too large or too slow."""
        if self._is_whole:  # what comes now tells that the other side has gone
            return await self._receive()
        message = await self._next()
        self._is_whole = message["type"] != "http.request" or not message.get("more_body", False)
        self._came += len(message.get("body", b""))
        if self._came > self._most:
            raise _refuse_large_body()
        return message

    async def _next(self) -> Message:
        allowed = self._patience + self._came / SLOWEST_BYTES_A_SECOND
        try:
            async with asyncio.timeout_at(self._begun + allowed):
                return await self._receive()
        except TimeoutError:
            raise HTTPException(408, "slow", {"Connection": "close"}) from None
