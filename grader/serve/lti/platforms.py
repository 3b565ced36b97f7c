"""The registered learning platforms, and HTTP requests to them, limited in time, size and destination.

Teachers at a platform set the custom parameter themselves, and are launched as staff; so the parameter alone
must not give them access to somebody else's course. The first course of a platform that launches a course of
the service is bound to it; further ones are allowed only by a command of the administrator.

A platform may hang, or send one byte now and then; so every request has a timer of its own, which cuts its
connections in whatever state they are. Requests use https, or http to this machine only (a platform in a
test, or beside the service). A redirect is followed only for a GET on the same host; a request with a secret
is never redirected.
"""

from __future__ import annotations

import http.client
import json
import re
import shlex
import socket
import sqlite3
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from email.message import Message
from functools import partial
from threading import Timer
from typing import IO, Any, Final

from grader.errors import InputError, LaunchError, PlatformError
from grader.serve.store import courses
from grader.serve.store.database import Store
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


def check_url(url: str, what: str) -> str:
    """Return the URL if it may be requested: https, or http to this machine. Raises PlatformError if not."""
    try:
        parts = urllib.parse.urlsplit(url)
        host = parts.hostname if _HOST.fullmatch(parts.netloc) and parts.port != 0 else None
        (host or "").encode("idna")  # a name with an empty part, or a part that is too long
    except ValueError:
        host = None
    is_plain = len(url) <= _LONGEST_ADDRESS and url.isascii() and url.isprintable() and " " not in url
    if host and is_plain and (parts.scheme == "https" or (parts.scheme == "http" and host in _LOCAL)):
        return url
    raise PlatformError(f"expected {what} to be an address that starts with https://, got {url[:200]!r}")


def send_request(
    url: str,
    *,
    data: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    patience: float = PATIENCE_SECONDS,
) -> PlatformAnswer:
    """Send a GET request, or a POST request if there is ``data``; return the answer.

    Raises PlatformError if the request cannot be sent, NoAnswerError if no answer comes, or one too large.
    """
    host = urllib.parse.urlsplit(check_url(url, "what is asked")).hostname
    request = urllib.request.Request(url, data=data, headers=dict(headers or {}))  # noqa: S310 - checked above
    with _timed_connections(patience) as connections:
        try:
            return _perform(request, connections, patience)
        except urllib.error.URLError as error:  # of the way there; what fails on the way back comes as it is
            raise PlatformError(f"{host} did not answer: {connections.why or error.reason}") from error
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(f"{host} did not answer: {connections.why or error}") from error


def _perform(request: urllib.request.Request, connections: _Connections, patience: float) -> PlatformAnswer:
    end = time.monotonic() + patience
    opener = urllib.request.build_opener(_SameHostRedirects, _ConnectionHandler(connections))
    try:
        with opener.open(request, timeout=patience) as response:
            answer = PlatformAnswer(
                response.status, _lowercase_names(response.headers), _read_body(response, end)
            )
    except urllib.error.HTTPError as error:
        with error:
            answer = PlatformAnswer(error.code, _lowercase_names(error.headers), _read_body(error, end))
    if connections.why:
        raise NoAnswerError(f"the platform did not answer: {connections.why}")  # the end of the body was ours
    return answer


def _lowercase_names(headers: Message) -> Mapping[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _read_body(response: Any, end: float) -> bytes:
    """Read the body, up to the size limit, and until the time is over even if bytes keep trickling in."""
    body = bytearray()
    while piece := response.read1(_PIECE_BYTES):
        body += piece
        if len(body) > LARGEST_BYTES:
            raise NoAnswerError(f"expected at most {LARGEST_BYTES // 1024} KiB from the platform, got more")
        if time.monotonic() > end:
            raise NoAnswerError("the platform took too long for its answer")
    return bytes(body)


class _Connections:
    """The connections of one request, which another thread can cut."""

    def __init__(self) -> None:
        self.why = ""
        self._ends: list[socket.socket] = []

    def connect(self, kind: Callable[..., http.client.HTTPConnection], host: str, **more: Any) -> Any:
        """Make a connection that can be cut in any state, even during the TLS handshake."""
        made: Any = kind(host, **more)
        made._create_connection = self._connect
        return made

    def _connect(self, *where: Any, **more: Any) -> socket.socket:
        made = socket.create_connection(*where, **more)
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
def _timed_connections(patience: float) -> Iterator[_Connections]:
    """Yield connections that are cut when the time is over."""
    connections = _Connections()
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


_COLUMNS: Final = "id, issuer, client_id, deployments, auth_url, token_url, jwks_url, audience"


@dataclass(frozen=True, slots=True)
class Registration:
    """The data that a platform shows when a tool is registered there."""

    issuer: str
    client_id: str
    deployments: frozenset[str]
    auth_url: str
    token_url: str
    jwks_url: str
    audience: str = field(default="", kw_only=True)
    """What a request for a token names as its audience; the token URL if it is empty."""

    def __post_init__(self) -> None:
        """Raise InputError if something is missing, or if an address may not be requested."""
        for value, what in ((self.issuer, "an issuer"), (self.client_id, "a client id")):
            if not value.strip():
                raise InputError(f"expected {what}, got nothing: copy it from the platform")
        if not self.deployments or not all(self.deployments):
            raise InputError(
                "expected a deployment id, got none: the platform shows it where the tool is deployed"
            )
        for url, option in (
            (self.auth_url, "--auth-url"),
            (self.token_url, "--token-url"),
            (self.jwks_url, "--jwks-url"),
        ):
            try:
                check_url(url, option)
            except PlatformError as error:
                raise InputError(str(error)) from None


@dataclass(frozen=True, slots=True)
class RegisteredPlatform(Registration):
    """A registered platform, with its number."""

    id: int


def add(store: Store, new: Registration) -> RegisteredPlatform:
    """Register a platform; if it is known, update its addresses and add the deployments."""
    with store.transaction():
        known = _select(store, "issuer = ? and client_id = ?", (new.issuer, new.client_id))
        deployments = new.deployments.union(*(platform.deployments for platform in known))
        row = {**asdict(new), "deployments": json.dumps(sorted(deployments))}
        store.put("lti_platforms", {key: row.pop(key) for key in ("issuer", "client_id")}, row)
        return _select(store, "issuer = ? and client_id = ?", (new.issuer, new.client_id))[0]


def list_platforms(store: Store) -> list[RegisteredPlatform]:
    """Return all platforms, the oldest first."""
    return _select(store, "1", ())


def get(store: Store, number: int) -> RegisteredPlatform:
    """Return a platform by its number. Raises InputError if there is none."""
    found = _select(store, "id = ?", (number,))
    if not found:
        raise InputError(f"expected the number of a platform, got {number}: see grader serve platform list")
    return found[0]


def remove(store: Store, number: int) -> RegisteredPlatform:
    """Remove a platform and return it; its users stay, but their scores are no longer sent."""
    with store.transaction():
        gone = get(store, number)
        store.rows("delete from lti_platforms where id = ?", (number,))
    return gone


def find_launching_platform(store: Store, issuer: str, client_id: str) -> RegisteredPlatform:
    """Return the platform that starts a login; without a client id, it must be the only one of its issuer.

    Raises LaunchError if it is not registered.
    """
    found = _select(store, "issuer = ?", (issuer,))
    if client_id:
        found = [platform for platform in found if platform.client_id == client_id]
    if len(found) == 1:
        return found[0]
    raise LaunchError(
        f"expected a platform that is registered here, got issuer {issuer[:200]!r}, "
        f"client id {client_id[:200]!r}: whoever runs this service registers it "
        "with grader serve platform add"
    )


def _select(store: Store, condition: str, values: tuple[object, ...]) -> list[RegisteredPlatform]:
    statement = f"select {_COLUMNS} from lti_platforms where {condition} order by id"  # noqa: S608 - our own
    return [_platform(row) for row in store.rows(statement, values)]


def _platform(row: sqlite3.Row) -> RegisteredPlatform:
    return RegisteredPlatform(**{**dict(row), "deployments": frozenset(json.loads(row["deployments"]))})


@dataclass(frozen=True, slots=True)
class CourseBinding:
    """The permission of a course of a platform to launch a course of the service."""

    course: str
    platform: int
    context: str
    title: str


def find_course(store: Store, asked: CourseBinding, served: Collection[str]) -> str:
    """Return the id of the course that is launched; bind it if nobody has launched it yet.

    A launch that names no course asks for one with an empty id.

    Raises LaunchError if the launch names no served course, or one that is bound to another course.
    """
    with store.transaction():
        place = asked.platform, asked.context
        mine = [bound.course for bound in list_bindings(store) if (bound.platform, bound.context) == place]
        course = asked.course or _only_candidate([course for course in mine if course in served], served)
        if course not in served:
            raise LaunchError(
                f"expected the custom parameter course to be one of {', '.join(served)}, got {course[:80]!r}"
            )
        if course in mine:
            return course
        bound = replace(asked, course=course)
        _check_free(store, bound)
        bind(store, bound)
        return course


def bind(store: Store, new: CourseBinding) -> None:
    """Let a course of a platform launch a course of the service."""
    store.insert("lti_contexts", asdict(new), "on conflict do nothing")


def allow_course(store: Store, new: CourseBinding) -> None:
    """Add a binding for the administrator. Raises InputError if the service has no such course."""
    if new.course not in (known := courses.load_titles(store)):
        raise InputError(
            f"expected a course that is served here ({', '.join(known) or 'none yet'}), got {new.course}"
        )
    bind(store, new)


def list_bindings(store: Store) -> list[CourseBinding]:
    """Return all bindings, sorted by course, platform and context."""
    statement = "select course, platform, context, title from lti_contexts order by course, platform, context"
    return store.records(CourseBinding, statement)


def put_members(store: Store, bound: CourseBinding, url: str) -> None:
    """Record the URL at which a platform lists the members of its course."""
    values = {"url": url, **asdict(bound)}
    store.rows(
        "update lti_contexts set members = :url where platform = :platform and context = :context "
        "and course = :course and members != :url",
        values,
    )


def list_members_urls(store: Store, course: str) -> list[tuple[RegisteredPlatform, str]]:
    """Return the platforms that list the members of a course, each with the URL for it."""
    statement = "select platform, members from lti_contexts where course = ? and members != ''"
    return [(get(store, platform), url) for platform, url in store.rows(statement, (course,))]


def list_open_courses(store: Store, asked: CourseBinding, served: Collection[str]) -> list[str]:
    """Return the served courses that a course of a platform launches, or would be the first to launch.

    Raises LaunchError if there is none.
    """
    bound = [each for each in list_bindings(store) if each.course in served]
    taken = {each.course for each in bound}
    mine = {each.course for each in bound if (each.platform, each.context) == (asked.platform, asked.context)}
    found = [course for course in served if course in mine or course not in taken]
    if not found:
        raise LaunchError(
            "each course here is launched from another course of the platform: whoever runs this service "
            f"lets this one in, too, by {_allow_command(replace(asked, course='COURSE'))}"
        )
    return found


def _only_candidate(mine: Collection[str], served: Collection[str]) -> str:
    """Return the course that a launch without a custom parameter must mean. Raises LaunchError."""
    for candidates in (mine, served):
        if len(candidates) == 1:
            return next(iter(candidates))
    raise LaunchError(
        "expected the launch to say which course is meant: "
        f"set the custom parameter course to one of {', '.join(mine or served)}"
    )


def _check_free(store: Store, new: CourseBinding) -> None:
    others = [bound for bound in list_bindings(store) if bound.course == new.course]
    if others:
        raise LaunchError(
            f"the course {new.course} is launched from another course of the platform "
            f"({others[0].title or others[0].context}): whoever runs this service lets this one in, too, "
            f"by {_allow_command(new)}"
        )


def _allow_command(new: CourseBinding) -> str:
    return shlex.join(["grader", "serve", "platform", "allow", str(new.platform), new.context, new.course])
