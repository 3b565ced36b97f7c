"""What the service asks of others, and what it takes for an answer."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from grader.errors import PlatformError
from grader.serve.lti.platform_requests import LARGEST_BYTES, NoAnswerError, check_url, send_request
from tests.grader.serve.running import running


def _platform() -> Starlette:
    """What answers by the path, with so many bytes or the way to a URL."""

    def to(request: Request) -> Response:
        return RedirectResponse(request.path_params["url"], 302)

    def count(request: Request) -> Response:
        return Response(b"x" * request.path_params["number"])

    return Starlette(
        routes=[Route("/to/{url:path}", to, methods=["GET", "POST"]), Route("/bytes/{number:int}", count)]
    )


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running() as (address, serve):
        serve(_platform())
        yield address


def test_an_answer_that_is_too_long_is_none(url: str) -> None:
    assert len(send_request(f"{url}/bytes/{LARGEST_BYTES}").body) == LARGEST_BYTES
    with pytest.raises(PlatformError, match="256 KiB"):
        send_request(f"{url}/bytes/{LARGEST_BYTES + 1}")


def test_who_asks_stays_on_the_host(url: str) -> None:
    assert send_request(f"{url}/to/{url}/bytes/3").body == b"xxx"
    with running() as (other, serve):
        serve(_platform())
        for target in (f"{other}/bytes/3", "https://127.0.0.1/", "file:///etc/passwd"):
            assert send_request(f"{url}/to/{target}").status == 302


def test_what_has_a_secret_in_it_is_not_sent_on(url: str) -> None:
    assert send_request(f"{url}/to/{url}/bytes/3", data=b"secret").status == 302
    assert send_request(f"{url}/to/{url}/bytes/3", headers={"Authorization": "Bearer secret"}).status == 302


def _trickle(listening: socket.socket, first: bytes, stop: Event) -> None:
    """Send a byte of what never ends, as soon as the one before has gone."""
    connection, _ = listening.accept()
    with connection, suppress(OSError):
        connection.sendall(first)
        while not stop.is_set():
            connection.sendall(b"x")
            stop.wait(0.01)


@pytest.mark.parametrize(
    "first",
    [
        b"",
        b"HTTP/1.1 ",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_wherever_an_answer_stands_still_its_time_ends(first: bytes) -> None:
    """Each byte comes soon after the one before, and the last one never."""
    stop = Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=_trickle, args=(listening, first, stop))
        thread.start()
        with pytest.raises(NoAnswerError, match=r"longer than 0\.2 seconds|too long"):
            send_request(f"http://127.0.0.1:{listening.getsockname()[1]}/", patience=0.2)
        stop.set()
        thread.join()


@pytest.mark.parametrize(
    "url",
    [
        "http://platform.example.org/",
        "ftp://platform.example.org/",
        "file:///etc/passwd",
        "https://user:word@platform.example.org/",
        "https://platform.example.org:0/",
        "https://platform.example.org/\r\nHost: x",
        "http://localhost.example.org/",
        "https://platform.example.org/" + "x" * 2048,
    ],
)
def test_no_other_address_is_asked(url: str) -> None:
    with pytest.raises(PlatformError, match="starts with https"):
        check_url(url, "the address")


@pytest.mark.parametrize(
    "url", ["https://platform.example.org:8443/a?b=c", "http://localhost:8080/", "http://[::1]/"]
)
def test_https_may_be_asked_and_this_machine(url: str) -> None:
    assert check_url(url, "the address") == url
