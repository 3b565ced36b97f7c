"""Whatever comes from outside, it is bounded what is read of it, what it takes, and what is answered."""

from __future__ import annotations

import asyncio
import socket
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.types import ASGIApp, Message

from grader.course.rules import CourseRules, load_rules
from grader.errors import PlatformError
from grader.serve.data_folder import DataFolder
from grader.serve.lti import platforms
from grader.serve.lti.keys import KeySets, load_own_key
from grader.serve.lti.launch_service import LaunchService
from grader.serve.lti.platform_requests import PlatformAnswer
from grader.serve.store import courses, credentials, people
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer
from grader.serve.web.app import Protocol, create_app
from grader.serve.web.guard import BodyLimits, ConcurrencyLimit, RateLimit, RateLimits
from grader.serve.web.sign_in_pages import launch_routes
from grader.serve.web.visits import Site
from tests.grader.serve.lti.world import ISSUER, registration
from tests.grader.serve.made import COURSE
from tests.grader.serve.running import running

KIB: Final = 1024
UPLOAD, FORM, PIECE = 512 * KIB, 64 * KIB, 16 * KIB
MOST_MEMORY: Final = 12 * UPLOAD
MOST_ANSWER: Final = 512 * KIB
PATHS: Final = (
    *("/", "/sign-in", "/sign-out", "/submit", "/token", "/token/delete", "/invite/x", "/api/submit"),
    *("/api/attempts/x", "/attempts/x", "/feedback/x/", "/staff/", "/staff/export", "/staff/people/1/adjust"),
    *("/staff/review", "/staff/class/x/feedback.html", "/lti/login", "/lti/launch", "/lti/jwks", "/static/x"),
)


@dataclass(frozen=True)
class There:
    """The service, and what lets a student and staff in."""

    app: ASGIApp
    cookies: dict[str, str]
    token: str


@dataclass(frozen=True)
class Came:
    """What became of a request."""

    status: int
    taken: int
    answered: int


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[There]:
    data = DataFolder(tmp_path_factory.mktemp("data"))
    data.create()
    store = Store(data.database)
    courses.put(store, COURSE, "Mazes")
    platforms.add(store, registration())
    endless = {name: RateLimit(1e12, 1e12) for name in ("guesses", "stale", "launches", "uploads", "actions")}
    site = Site(
        *(data, store, {COURSE: CourseRules(replace(load_rules().rubric, title="Mazes"))}),
        demo=True,
        names=frozenset({"testserver"}),
        limits=BodyLimits(UPLOAD, FORM, kept_bytes=4 * UPLOAD),
        rates=RateLimits(**endless, uploading=ConcurrencyLimit(2)),
    )
    lti = LaunchService(store, "http://testserver", load_own_key(data.lti), [COURSE], KeySets(_no_platform))
    cookies = {"nobody": ""}
    for role in ("student", "staff"):
        who = people.put(store, Newcomer(COURSE, role, role, "demo", role), 1.0)
        cookie, _ = credentials.begin_sign_in(store, who.id, time.time())
        cookies[role] = f"session={cookie}"
        token = credentials.create_token(store, who.id, "", time.time())
    yield There(create_app(site, launch_routes(lti)), cookies, token)
    store.close()


def _no_platform(_: str) -> PlatformAnswer:
    raise PlatformError("there is none")


async def _ask(app: ASGIApp, scope: dict[str, Any], body: bytes, *, goes_on: bool) -> Came:
    """Send a body in pieces, the last of them again and again where it goes on."""
    pieces, status, taken, answered = iter(range(0, len(body) + 1, PIECE)), 0, 0, 0

    async def receive() -> Message:
        nonlocal taken
        start = next(pieces, None)
        if start is None and not goes_on:
            return {"type": "http.disconnect"}
        piece = b"x" * PIECE if start is None else body[start : start + PIECE]
        taken += len(piece)
        return {
            "type": "http.request",
            "body": piece,
            "more_body": goes_on or (start or 0) + PIECE <= len(body),
        }

    async def send(message: Message) -> None:
        nonlocal status, answered
        status = message.get("status", status)
        answered += len(message.get("body", b""))

    await app(scope, receive, send)
    return Came(status, taken, answered)


_TEXT = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=40)
_CHARSETS = st.sampled_from(
    ["", "; charset=utf-8", "; charset=punycode", "; charset=idna", "; charset=undefined"]
)
_KINDS = st.one_of(
    st.builds("multipart/form-data; boundary=x{}".format, _CHARSETS),
    st.builds("application/x-www-form-urlencoded{}".format, _CHARSETS),
    st.just("multipart/form-data; boundary=" + "-" * 4000),
    _TEXT,
)
_HEAD = b'--x\r\nContent-Disposition: form-data; name="'
_WORDS = (
    r"a a& = % ; \0 \xff \r\n A:b\r\n --x\r\n\r\n\r\n \r\n--y \r\n--x--\r\n aaaa- PK\3\4 "
    "csrf= state= id_token=e30.e30."
)
_PIECES = st.sampled_from(
    [
        *(word.encode().decode("unicode_escape").encode("latin-1") for word in [*_WORDS.split(), '"']),
        *(_HEAD, _HEAD + b'a"\r\n\r\n', _HEAD + b'files"; filename="'),
        b"iss=" + ISSUER.encode() + b"&login_hint=",
    ]
)
_BODIES = st.lists(
    st.tuples(_PIECES | st.binary(max_size=30), st.sampled_from([1, 1, 1, 2, 1000, 30_000, UPLOAD])),
    max_size=6,
).map(lambda parts: b"".join((piece * count)[:UPLOAD] for piece, count in parts)[: UPLOAD + PIECE])
_HEADERS = st.dictionaries(
    st.sampled_from(
        [
            *["cookie", "authorization", "accept-language", "x-forwarded-for", "range", "expect", "te"],
            "x" * 500,
        ]
    ),
    _TEXT | st.builds("a=b; {}".format, _TEXT) | st.just("a;" * 4000),
    max_size=3,
)


@dataclass(frozen=True)
class Asked:
    """A request."""

    path: str
    method: str
    kind: str
    """Its content type."""
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    who: str = "student"
    goes_on: bool = False
    """Whether the body never ends."""
    length: str | None = None
    """What it says of that; None for nothing."""

    def scope(self, there: There) -> dict[str, Any]:
        """The same as the server passes it on, with what lets somebody in."""
        own = {"host": "testserver", "origin": "http://testserver", "content-type": self.kind}
        own["cookie"] = there.cookies[self.who]
        if self.length is not None:
            own["content-length"] = str(len(self.body)) if self.length == "right" else self.length
        if self.path.startswith("/api/") and self.who != "nobody":
            own["authorization"] = f"Bearer {there.token}"
        sent = {**own, **self.headers} if self.who == "nobody" else {**self.headers, **own}
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "method": self.method,
            "path": self.path,
            "raw_path": self.path.encode(),
            "root_path": "",
            "query_string": b"",
            "client": ("10.0.0.1", 1),
            "server": ("testserver", 80),
            "headers": [(name.encode(), value.encode("latin-1", "replace")) for name, value in sent.items()],
        }


_ASKED = st.builds(
    Asked,
    st.sampled_from(PATHS),
    st.sampled_from(["GET", "POST", "POST", "POST", "HEAD", "PUT"]),
    _KINDS,
    _BODIES,
    _HEADERS,
    st.sampled_from(["nobody", "student", "staff"]),
    st.booleans(),
    st.sampled_from([None, "right", "0", "9" * 5000, "-1", "x"]),
)
_FORM_KIND: Final = "application/x-www-form-urlencoded"
_PUNYCODE: Final = _HEAD + b'a"\r\n\r\naaaa-' + b"a" * (UPLOAD - 200) + b"\r\n--x--\r\n"


@pytest.mark.processes
@given(asked=_ASKED)
@example(asked=Asked("/submit", "POST", "multipart/form-data; boundary=x; charset=punycode", _PUNYCODE))
@example(asked=Asked("/submit", "POST", _FORM_KIND, b"a&" * (UPLOAD // 2)))
@example(asked=Asked("/submit", "POST", "multipart/form-data; boundary=x", _HEAD + b"a" * (UPLOAD - 200)))
@example(asked=Asked("/api/submit", "POST", "", b"PK" * (UPLOAD // 2)))
@example(asked=Asked("/api/submit", "POST", "", b"", goes_on=True))
@example(asked=Asked("/lti/launch", "POST", _FORM_KIND, b"", who="nobody", goes_on=True))
@example(asked=Asked("/submit", "POST", _FORM_KIND, b"a=1", length="9" * 5000))
def test_whatever_comes_takes_little_and_is_answered(there: There, asked: Asked) -> None:
    most = UPLOAD if asked.path in ("/submit", "/api/submit", "/staff/export") else FORM
    goes_on = asked.goes_on and asked.method in ("POST", "PUT")
    tracemalloc.start()
    try:
        came = asyncio.run(_ask(there.app, asked.scope(there), asked.body, goes_on=goes_on))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 200 <= came.status < 500
    assert came.taken <= most + PIECE
    assert came.answered <= MOST_ANSWER
    assert peak <= MOST_MEMORY


@pytest.mark.parametrize("path", ["/submit", "/api/submit", "/sign-in"])
def test_what_is_broken_off_is_one_line_of_the_log(
    there: There, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    begun = iter([{"type": "http.request", "body": _HEAD, "more_body": True}])

    async def receive() -> Message:
        return next(begun, {"type": "http.disconnect"})

    async def send(_: Message) -> None:
        return None

    asked = Asked(path, "POST", "multipart/form-data; boundary=x", b"")

    async def ask() -> None:
        await there.app(asked.scope(there), receive, send)

    asyncio.run(ask())
    assert [(line.getMessage(), line.exc_info) for line in caplog.records] == [
        (f"POST {path} was broken off", None)
    ]


def test_headers_that_do_not_end_are_not_waited_for(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Protocol, "header_seconds", 0.01)
    with running() as (url, serve):
        serve(create_app(site))
        with (
            socket.create_connection(("127.0.0.1", urlsplit(url).port or 0)) as connection,
            suppress(ConnectionError),
        ):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nX-Slow: ")
            assert connection.recv(1000) == b""
