"""HTTP requests to learning platforms, limited in time, size and destination.

A platform may hang, or send one byte now and then; so every request has a timer of its own, which cuts its
connections in whatever state they are. Requests use https, or http to this machine only (a platform in a
test, or beside the service). A redirect is followed only for a GET on the same host; a request with a secret
is never redirected.

Whoever has a link to register a platform says where this service is to send requests, so what registered
itself may lead to no address inside the network (``inside``): a name is resolved once for each connection,
every address that it has must be a public one, and one of these is connected to, so that a name cannot
change in between. No proxy of the environment is used for it, since that would resolve the name again.
"""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv6Address, ip_address
from threading import Timer
from typing import IO, Any, Final

from grader.errors import PlatformError
from grader.text import visible

PATIENCE_SECONDS: Final = 10.0
"""A platform has 10 seconds for an answer, from the first byte sent to the last one read."""
LARGEST_BYTES: Final = 256 * 1024
"""An answer may have at most 256 KiB."""
_PIECE_BYTES: Final = 16 * 1024
"""An answer is read in pieces of 16 KiB."""
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""These hosts, which are this machine, may be requested by http."""
_HOST: Final = re.compile(r"[\w.:\[\]-]+", re.ASCII)
"""A host with its port, without a user; it may stand in a header as it is."""
_MOST_SAID: Final = 300
"""At most 300 characters of a platform's error message are kept."""
_LONGEST_ADDRESS: Final = 2048
"""A URL may have at most 2048 characters."""


class NoAnswerError(PlatformError):
    """The platform got the request, but no readable answer came back: it may have acted on the request."""


@dataclass(frozen=True)
class PlatformAnswer:
    """The answer of a platform, with any status."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Tell whether the platform did what it was asked."""
        return 200 <= self.status < 300

    @property
    def refusal(self) -> str:
        """Return the status, and the beginning of what the platform says of it, unless it is an HTML page."""
        text = " ".join(self.body[: 4 * _MOST_SAID].decode("utf-8", "replace").split())
        said = (
            "" if not text or text.startswith("<") else f": {visible(text, limit=_MOST_SAID, one_line=True)}"
        )
        return f"the platform answered {self.status}{said}"

    def json(self) -> Any:
        """Parse the body as JSON. Raises PlatformError."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise PlatformError("expected JSON from the platform, got something else") from None


def check_url(url: str, what: str, *, https: bool = False) -> str:
    """Return the URL if it may be requested: https, or http to this machine unless it has to be ``https``.

    Raises PlatformError if not.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        host = parts.hostname if _HOST.fullmatch(parts.netloc) and parts.port != 0 else None
        (host or "").encode("idna")  # a name with an empty part, or a part that is too long
    except ValueError:
        host = None
    is_plain = len(url) <= _LONGEST_ADDRESS and url.isascii() and url.isprintable() and " " not in url
    local = parts.scheme == "http" and host in _LOCAL and not https
    if host and is_plain and (parts.scheme == "https" or local):
        return url
    raise PlatformError(f"expected {what} to be an address that starts with https://, got {url[:200]!r}")


def send_request(
    url: str,
    *,
    data: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    patience: float = PATIENCE_SECONDS,
    inside: Collection[str] | None = None,
) -> PlatformAnswer:
    """Send a GET request, or a POST request if there is ``data``; return the answer.

    With ``inside``, only these hosts may be at private addresses, and all is https.

    Raises PlatformError if the request cannot be sent, NoAnswerError if no answer comes, or one too large.
    """
    host = urllib.parse.urlsplit(check_url(url, "what is asked", https=inside is not None)).hostname
    request = urllib.request.Request(url, data=data, headers=dict(headers or {}))  # noqa: S310 - checked above
    with _timed_connections(patience, inside) as connections:
        try:
            return _perform(request, connections, patience)
        except urllib.error.URLError as error:  # of the way there; what fails on the way back comes as it is
            raise PlatformError(f"{host} did not answer: {connections.why or error.reason}") from error
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(f"{host} did not answer: {connections.why or error}") from error


def _perform(request: urllib.request.Request, connections: _Connections, patience: float) -> PlatformAnswer:
    end = time.monotonic() + patience
    proxies = () if connections.inside is None else (urllib.request.ProxyHandler({}),)
    opener = urllib.request.build_opener(_SameHostRedirects, _ConnectionHandler(connections), *proxies)
    try:
        with opener.open(request, timeout=patience) as response:
            answer = _read(response, response.status, end)
    except urllib.error.HTTPError as error:
        with error:
            answer = _read(error, error.code, end)
    if connections.why:
        raise NoAnswerError(f"the platform did not answer: {connections.why}")  # the end of the body was ours
    return answer


def _read(response: Any, status: int, end: float) -> PlatformAnswer:
    """Read an answer, up to the size limit, and until the time is over even if bytes keep trickling in."""
    body = bytearray()
    while piece := response.read1(_PIECE_BYTES):
        body += piece
        if len(body) > LARGEST_BYTES:
            raise NoAnswerError(f"expected at most {LARGEST_BYTES // 1024} KiB from the platform, got more")
        if time.monotonic() > end:
            raise NoAnswerError("the platform took too long for its answer")
    headers = {name.lower(): value for name, value in response.headers.items()}
    return PlatformAnswer(status, headers, bytes(body))


def find_public_addresses(host: str, port: int) -> list[str]:
    """Return the addresses of a host. Raises OSError if any of them is not public."""
    found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for address in map(ip_address, found):
        within = (address.ipv4_mapped or address.sixtofour) if isinstance(address, IPv6Address) else None
        if not (within or address).is_global or address.is_multicast:
            raise OSError(f"{host} has an address inside a network, which only --allow-host allows")
    return found


class _Connections:
    """The connections of one request, which another thread can cut."""

    def __init__(self, inside: Collection[str] | None) -> None:
        self.why, self.inside = "", inside
        self._ends: list[socket.socket] = []

    def connect(self, kind: Callable[..., http.client.HTTPConnection], host: str, **more: Any) -> Any:
        """Make a connection that can be cut in any state, even during the TLS handshake."""
        made: Any = kind(host, **more)
        made._create_connection = self._connect
        return made

    def _connect(self, where: tuple[str, int], *more: Any) -> socket.socket:
        is_bound = self.inside is not None and where[0] not in self.inside
        *others, last = find_public_addresses(*where) if is_bound else [where[0]]
        made: socket.socket | None = None
        for address in others:
            with suppress(OSError):
                made = made or socket.create_connection((address, where[1]), *more)
        made = made or socket.create_connection((last, where[1]), *more)
        self._ends.append(made.dup())
        if self.why:
            self._cut()
        return made

    def end(self, why: str) -> None:
        """Cut all connections, and those that will be opened later."""
        self.why = why
        self._cut()

    def _cut(self) -> None:
        for each in list(self._ends):
            with suppress(OSError):  # it may have ended by itself
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the duplicated sockets."""
        for each in self._ends:
            each.close()


@contextmanager
def _timed_connections(patience: float, inside: Collection[str] | None) -> Iterator[_Connections]:
    """Yield connections that are cut when the time is over."""
    connections = _Connections(inside)
    clock = Timer(patience, connections.end, [f"it took longer than {patience:g} seconds"])
    clock.daemon = True
    clock.start()
    try:
        yield connections
    finally:
        clock.cancel()
        clock.join()
        connections.close()


class _ConnectionHandler(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    """Opens connections that can be cut, with and without TLS."""

    def __init__(self, connections: _Connections) -> None:
        super().__init__()
        self._connections = connections

    def do_open(self, http_class: Any, req: urllib.request.Request, **more: Any) -> Any:
        """Open the connection over the connections."""
        return super().do_open(partial(self._connections.connect, http_class), req, **more)


class _SameHostRedirects(urllib.request.HTTPRedirectHandler):
    """Follows a redirect of a GET to the same scheme, host and port; any other redirect is the answer."""

    max_redirections = 3

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """Return the request that follows the redirect, or None."""
        is_plain = req.get_method() == "GET" and not req.has_header("Authorization")
        if not is_plain or _origin(newurl) != _origin(req.full_url):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _origin(url: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.netloc
