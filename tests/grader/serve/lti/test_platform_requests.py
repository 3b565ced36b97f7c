"""What the service asks of others, and what it takes for an answer."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from grader.errors import PlatformError
from grader.serve.lti.platform_requests import LARGEST_BYTES, NoAnswerError, check_url, send_request


class _Platform(BaseHTTPRequestHandler):
    """Answers by the path: /status/418, /to/URL, /bytes/N; what came is kept."""

    def do_GET(self) -> None:
        _, what, value = self.path.split("/", 2)
        self.send_response(int(value) if what == "status" else 302 if what == "to" else 200)
        self.send_header("Retry-After", "7")
        if what == "to":
            self.send_header("Location", value)
        self.end_headers()
        if what == "bytes":
            self.wfile.write(b"x" * int(value))

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _served() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Platform) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with _served() as address:
        yield address


def test_an_answer_that_is_too_long_is_none(url: str) -> None:
    assert len(send_request(f"{url}/bytes/{LARGEST_BYTES}").body) == LARGEST_BYTES
    with pytest.raises(PlatformError, match="256 KiB"):
        send_request(f"{url}/bytes/{LARGEST_BYTES + 1}")


def test_who_asks_stays_on_the_host(url: str) -> None:
    assert send_request(f"{url}/to/{url}/bytes/3").body == b"xxx"
    with _served() as other:
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
