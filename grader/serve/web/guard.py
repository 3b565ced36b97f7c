"""What every request passes before a page sees it.

Theory of operation: a page of somebody else's may make a browser of ours send anything. So what changes
something must come from this site (``Sec-Fetch-Site``, and ``Origin``), and carry the word of its sign-in
(cookies.py); the places that other programs call, with a token or from a learning platform, take no cookie
instead. What this site is called is what ``--url`` says. Without it, a request says so itself, and a page of
somebody else's may have its own name lead to this machine: only names are taken that nobody else can use so.
A body is measured and timed while it arrives, before anything of it is parsed.
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

BODY_BYTES: Final = Caps().archive_bytes // 4
"""The most that an upload may bring: 16 MiB, a quarter of what intake opens from a disk."""
KEPT_BYTES: Final = 16 * BODY_BYTES
"""The most that is kept of the uploads of one person: 256 MiB, thousands of submissions as they should be."""
FORM_BYTES: Final = 64 * 1024
"""The most that a form without files may bring."""
PATIENCE_SECONDS: Final = 20.0
SLOWEST_BYTES_A_SECOND: Final = 8 * 1024
"""A body has 20 seconds, and another one for each 8 KiB that came."""
_PORTS: Final = {"http": 80, "https": 443}
SAFE: Final = ("GET", "HEAD", "OPTIONS")
OF_PROGRAMS: Final = ("/api/", "/lti/")
"""Below these no cookie counts, so that other programs and sites may send what they like."""
OF_ALL: Final = "/static/"
"""Below this lies what tells nothing, such as the style of the page that refuses."""
UPLOADS: Final = ("/submit", "/api/submit", "/staff/export")


@dataclass(frozen=True, slots=True)
class BodyLimits:
    """How large a body may be, how much is kept of a person (bytes), how long a body may take (seconds)."""

    upload_bytes: int = BODY_BYTES
    form_bytes: int = FORM_BYTES
    kept_bytes: int = KEPT_BYTES
    patience_seconds: float = PATIENCE_SECONDS

    def most(self, path: str) -> int:
        """The most bytes that a request for this path may bring."""
        return self.upload_bytes if path in UPLOADS else self.form_bytes


class Guard:
    """Lets requests through that may be answered; ASGI middleware."""

    def __init__(
        self, app: ASGIApp, *, url: str = "", names: Collection[str] = (), limits: BodyLimits | None = None
    ) -> None:
        """``url`` is how browsers call this site; without it, ``names`` are those of this machine."""
        self._app, self._url, self._names, self._limits = app, url, names, limits or BodyLimits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on. Raises HTTPException."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, path = Headers(scope=scope), scope["path"]
        own = self._url or f"{scope.get('scheme', 'http')}://{headers.get('host', '')}"
        if not self._url and not path.startswith(OF_ALL):
            check_host(own, self._names)
        if scope["method"] not in SAFE and not path.startswith(OF_PROGRAMS):
            check_origin(headers, own)
        check_charset(headers)
        most = self._limits.most(path)
        _check_length(headers, most)
        await self._app(scope, _Body(receive, most, self._limits.patience_seconds), send)


def check_host(own: str, names: Collection[str]) -> None:
    """See whether a request calls this machine by a name that is surely its own. Raises HTTPException."""
    found = origin_of(own)
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
    """See whether a page of this site sends it. Raises HTTPException."""
    known, origin, fetched = origin_of(own), headers.get("origin"), headers.get("sec-fetch-site")
    told = [fetched == "same-origin"] if fetched is not None else []
    told += [origin_of(origin) == known] if origin is not None else []
    if known is None or not told or not all(told):
        raise HTTPException(403, "origin")


def origin_of(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port, as browsers compare them; None for an address that has none of its own."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port


def check_charset(headers: Headers) -> None:
    """See whether the texts of a form are in UTF-8, as browsers send them. Raises HTTPException.

    What else a request names is decoded by whichever codec of Python is called that: punycode takes a minute
    for half a megabyte, in the one thread that serves everybody.
    """
    _, told = parse_options_header(headers.get("content-type", ""))
    if told.get(b"charset", b"utf-8").lower() not in (b"utf-8", b"utf8"):
        raise HTTPException(400, "wrong")


_LENGTH_DIGITS: Final = 18
"""A length of more digits is too large, whatever it says: Python reads no number of thousands of them."""


def _check_length(headers: Headers, most: int) -> None:
    told = headers.get("content-length", "0")
    if not told.isascii() or not told.isdigit():
        raise HTTPException(400, "length")
    if len(told) > _LENGTH_DIGITS or int(told) > most:
        raise _too_large()


def _too_large() -> HTTPException:
    """What answers a body that is too large; the rest of it is not read."""
    return HTTPException(413, "large", {"Connection": "close"})


class _Body:
    """Receives a body while it is within its size and its time."""

    def __init__(self, receive: Receive, most: int, patience: float) -> None:
        self._receive, self._most, self._patience = receive, most, patience
        self._begun = asyncio.get_running_loop().time()
        self._came, self._is_whole = 0, False

    async def __call__(self) -> Message:
        """The next piece. Raises HTTPException."""
        if self._is_whole:  # what comes now tells that the other side has gone
            return await self._receive()
        message = await self._next()
        self._is_whole = message["type"] != "http.request" or not message.get("more_body", False)
        self._came += len(message.get("body", b""))
        if self._came > self._most:
            raise _too_large()
        return message

    async def _next(self) -> Message:
        allowed = self._patience + self._came / SLOWEST_BYTES_A_SECOND
        try:
            async with asyncio.timeout_at(self._begun + allowed):
                return await self._receive()
        except TimeoutError:
            raise HTTPException(408, "slow", {"Connection": "close"}) from None
