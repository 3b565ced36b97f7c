"""The checks that every request passes before a page handles it, and the headers of all responses.

Theory of operation: another site can make a visitor's browser send any request. So a request that changes
something must come from this site (``Sec-Fetch-Site`` and ``Origin``), and contain the token of its sign-in
(visits.py); the paths that other programs call, with a token or from a learning platform, ignore cookies
instead. ``--url`` defines the name of this site. Without it, the Host header does, but another site can point
its own name at this machine: so only names are accepted that cannot be used that way. The size and the time
of a body are limited while it arrives, before any of it is parsed.

Scripts and styles may only come from files of this site, so that injected text would not run even if escaping
failed. Pages with content that students handed in are an origin of their own, without cookies and forms.

The site may lie below a path such as /grader, beside other sites of the host. Pages do not depend on it,
except that their templates put ``root`` before each link. Some proxies strip it before they pass a request
on, and others do not; both work. It is added to redirects, and cookies are for it only.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from threading import Lock
from typing import Final
from urllib.parse import urlsplit

from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader.api import LARGEST_ARCHIVE_BYTES
from grader.serve.service import PORTS

BODY_BYTES: Final = LARGEST_ARCHIVE_BYTES // 4
"""An upload may have at most 16 MiB, a quarter of what intake accepts from the disk."""
KEPT_BYTES: Final = 16 * BODY_BYTES
"""The uploads of one person may take at most 256 MiB, enough for thousands of normal submissions."""
FORM_BYTES: Final = 64 * 1024
"""A form without files may have at most 64 KiB."""
MAZE_PATHS: Final = re.compile(r"/staff/requests/[^/]+/try")
"""A form for one of these paths may have four times as much: of a maze, most signs are sent as three."""
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
UPLOAD_PATHS: Final = re.compile(r"(/api)?/submit|/staff/(export|people(/[0-9]+/submit)?)")
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
        if MAZE_PATHS.fullmatch(path):
            return 4 * self.form_bytes
        return self.upload_bytes if UPLOAD_PATHS.fullmatch(path) else self.form_bytes


class Guard:
    """ASGI middleware that rejects requests that fail a check."""

    def __init__(self, app: ASGIApp, *, url: str, names: Collection[str], limits: BodyLimits) -> None:
        """Guard an application; ``url`` is its public URL, or else ``names`` are the host names of this
        machine."""
        self._app, self._url, self._names, self._limits = app, url, names, limits

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
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            raise HTTPException(400, "length")
        if len(length) > _LENGTH_DIGITS or int(length) > most:
            raise _refuse_large_body()
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


_MOST_KEYS: Final = 10_000
"""A limit keeps at most 10000 buckets, and drops the least recently used one."""


def client_address(request: Request) -> str:
    """Return the IP address that a request comes from, as reported by the server or its proxy."""
    return request.client.host if request.client else ""


@dataclass
class RateLimit:
    """A token bucket for each key: ``burst`` tries at once, and ``per_minute`` more."""

    burst: float
    per_minute: float
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    """The level of each bucket, and the time of that level in seconds."""
    _lock: Lock = field(default_factory=Lock)

    def allows(self, key: str, now: float) -> bool:
        """Take a token if one is left, and tell whether there was one."""
        with self._lock:
            left, since = self._buckets.pop(key, (self.burst, now))
            left = min(self.burst, left + max(0.0, now - since) * self.per_minute / 60)
            is_allowed = left >= 1.0
            self._buckets[key] = (left - is_allowed, now)
            while len(self._buckets) > _MOST_KEYS:
                self._buckets.popitem(last=False)
            return is_allowed


@dataclass
class ConcurrencyLimit:
    """A limit of ``most`` operations at the same time for each key."""

    most: int
    _held: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def hold(self, key: str) -> Iterator[bool]:
        """Yield whether one more operation may start; if so, it counts for the duration of the context."""
        with self._lock:
            may = self._held[key] < self.most
            self._held[key] += may
        try:
            yield may
        finally:
            with self._lock:
                self._held[key] -= may
                self._held += Counter()  # without those that do nothing


@dataclass
class RateLimits:
    """All rate limits of the site."""

    guesses: RateLimit = field(default_factory=lambda: RateLimit(20, 20))
    """Wrong tokens and links, by IP address."""
    stale: RateLimit = field(default_factory=lambda: RateLimit(3, 3))
    """Uses of the same wrong token, from any address."""
    launches: RateLimit = field(default_factory=lambda: RateLimit(60, 60))
    """Refused launches, by IP address: many people reload a page that was already used."""
    uploads: RateLimit = field(default_factory=lambda: RateLimit(10, 6))
    """Uploads of one person, successful or not."""
    uploading: ConcurrencyLimit = field(default_factory=lambda: ConcurrencyLimit(2))
    """Uploads of one person that are still arriving, since each takes time and space."""
    actions: RateLimit = field(default_factory=lambda: RateLimit(120, 120))
    """All other changes by one person."""


POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
SANDBOX: Final = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
"""The policy of pages with content that students handed in; each page adds its own style and script."""
_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",  # with no-referrer, browsers send no Origin with a form
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}
_BY_TLS: Final = "max-age=31536000"


class ResponseHeaders:
    """ASGI middleware that adds the headers that a response lacks, and serves a site below a path."""

    def __init__(self, app: ASGIApp, answers: Counter[tuple[str, int]], *, root: str, secure: bool) -> None:
        """Wrap an application; ``root`` is the path without a slash at its end, or empty; ``secure`` tells
        browsers to keep using https. Responses are counted in ``answers``, by route and status."""
        self._app, self._answers, self._root = app, answers, root
        self._headers = {**_HEADERS, **({"Strict-Transport-Security": _BY_TLS} if secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and complete the headers of its response."""
        root = self._root

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._answers[getattr(scope.get("route"), "path", ""), message["status"]] += 1
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if headers.get("location", "").startswith("/"):
                    headers["location"] = root + headers["location"]
            await send(message)

        path: str = scope.get("path", "")
        if root and (path == root or path.startswith(f"{root}/")):
            scope = {**scope, "path": path.removeprefix(root) or "/"}
        await self._app(scope, receive, with_headers)
