"""Who follows all that happens, and who sends slowly, or not at all, against the real server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import cast
from urllib.parse import urlsplit

import pytest

from grader.serve.web.api import ChangeWatcher
from grader.serve.web.app import Protocol, create_app
from grader.serve.web.guard import BodyLimits
from grader.serve.web.student_pages import AttemptState
from grader.serve.web.visits import Site
from tests.grader.serve.made import a_person, an_attempt
from tests.grader.serve.running import running


def test_staff_are_told_what_was_written_and_not_who_looks_on(site: Site) -> None:
    attempt = an_attempt(site.store, a_person(site.store))

    async def told() -> list[bool]:
        watcher = ChangeWatcher(site)
        staff = watcher.follow_changes()
        student = cast("AsyncGenerator[AttemptState | None]", watcher.follow_attempt(attempt.id))
        at_first = [await anext(staff), await anext(staff)]  # before the first look at the file, and after it
        while await anext(student) is None:
            continue
        looks_on = await anext(staff)
        await student.aclose()
        is_gone = await anext(staff)
        other = watcher.follow_changes()
        await anext(other)
        an_attempt(site.store, a_person(site.store, "Bob"))
        while not await anext(other):
            continue
        written = await anext(staff)  # though it was seen before staff asked again
        await watcher.close()
        return [*at_first, looks_on, is_gone, written]

    assert asyncio.run(told()) == [False, False, False, False, True]


Serve = Callable[[Site], socket.socket]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves a site, and connects to it."""
    with ExitStack() as stack:

        def served(site: Site) -> socket.socket:
            url, serve_app = stack.enter_context(running())
            serve_app(create_app(site))
            port = urlsplit(url).port
            return stack.enter_context(socket.create_connection(("127.0.0.1", port or 0)))

        yield served


def is_ended(connection: socket.socket, sent: bytes = b"") -> bool:
    """Whether the other side closes the connection, before or after it has read what is sent."""
    try:
        connection.sendall(sent)
        return connection.recv(1000) == b""
    except ConnectionError:
        return True


def test_headers_that_do_not_end_are_not_waited_for(
    serve: Serve, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Protocol, "header_seconds", 0.01)
    assert is_ended(serve(site), b"GET / HTTP/1.1\r\nHost: here\r\nX-Slow: ")


def test_who_connects_and_says_nothing_is_not_waited_for(
    serve: Serve, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Protocol, "header_seconds", 0.01)
    assert is_ended(serve(site))


def test_a_body_that_does_not_come_is_not_waited_for(serve: Serve, site: Site) -> None:
    connection = serve(replace(site, limits=BodyLimits(patience_seconds=0.0)))
    headers = (
        b"POST /sign-in HTTP/1.1",
        b"Host: localhost",
        b"Origin: http://localhost",
        b"Content-Length: 100",
    )
    kind = b"Content-Type: application/x-www-form-urlencoded"
    connection.sendall(b"\r\n".join((*headers, kind, b"", b"name=")))
    assert connection.recv(1000).startswith(b"HTTP/1.1 408 ")
