"""Engines that are not there, are another's, or answer what none does."""

from __future__ import annotations

import json
import re
import socketserver
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox import docker as backends
from grader.sandbox import docker_engine as engines
from grader.sandbox.docker import DockerBackend
from grader.sandbox.docker_engine import connect


def test_no_engine_is_told_with_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(SandboxError, match=r"no Docker engine answers: tried unix:///nowhere/docker\.sock"):
        connect()
    found = DockerBackend().probe()
    assert not found.works
    assert "apt-get install docker.io" in found.advice
    engines._connected.cache_clear()


@pytest.mark.usefixtures("engine")
def test_an_engine_that_has_gone_is_told_when_a_box_is_to_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(*_: object) -> None:
        monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
        raise OSError("the connection was lost")

    monkeypatch.setattr(backends, "_open", leave)
    with pytest.raises(SandboxError, match="no Docker engine answers"):
        DockerBackend().open(Limits())
    engines._connected.cache_clear()


ANSWERS = st.one_of(
    st.sampled_from([b"", b"{}", b"[]", b"null", b"not json", b'{"Id": 3}', b'{"ApiVersion": "1.41"}']),
    st.binary(max_size=20),
)


@dataclass
class OddEngine:
    """What listens on a socket as an engine does, and answers what a test says."""

    address: str
    answer: Callable[[str], tuple[int, bytes]]

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        path = re.sub(r"^/v[\d.]+", "", request.path).partition("?")[0]
        status, body = self.answer(path)
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


def version(**more: object) -> bytes:
    return json.dumps({"ApiVersion": "1.41", "Version": "20", **more}).encode()


@pytest.fixture
def odd_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[OddEngine]:
    with tempfile.TemporaryDirectory(prefix="mg-") as folder:
        odd = OddEngine(f"unix://{folder}/docker.sock", lambda _: (200, version()))

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                odd.handle(self)

            do_POST = do_DELETE = do_HEAD = do_GET  # noqa: N815 - the names are the library's

            def address_string(self) -> str:
                return "a test"

            def log_message(self, *_: object) -> None:
                pass

        class Server(socketserver.ThreadingUnixStreamServer):
            daemon_threads, block_on_close = True, False

        with Server(f"{folder}/docker.sock", Handler) as server:
            thread = Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            monkeypatch.setenv("DOCKER_HOST", odd.address)
            engines._connected.cache_clear()
            yield odd
            engines._connected.cache_clear()
            server.shutdown()
            thread.join()


def test_podman_is_refused_with_the_reason_and_what_to_use(odd_engine: OddEngine) -> None:
    odd_engine.answer = lambda _: (200, version(Components=[{"Name": "Podman Engine", "Version": "4.3.1"}]))
    found = DockerBackend().probe()
    assert not found.works
    assert "Podman answers there, which does not bound how many files a box makes" in found.reason
    assert "--sandbox bubblewrap" in found.reason


@given(status=st.sampled_from([200, 201, 204, 400, 404, 409, 500, 503]), body=ANSWERS, knows=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_an_engine_that_answers_anything_is_a_fault_of_the_machine(
    odd_engine: OddEngine, status: int, body: bytes, knows: bool
) -> None:
    engines._connected.cache_clear()
    backends._image.cache_clear()
    odd_engine.answer = lambda path: (200, version()) if knows and path == "/version" else (status, body)
    with pytest.raises(SandboxError):
        DockerBackend().open(Limits())
    assert not DockerBackend().probe().works
    backends._image.cache_clear()


@pytest.mark.parametrize("address", ["ssh://staff@lab.example", "docker.sock"])
def test_an_address_that_cannot_be_used_is_told_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("DOCKER_HOST", address)
    with pytest.raises(SandboxError, match=r"begins with unix:// or tcp://; .* ssh -N -L"):
        connect()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tcp://127.0.0.1:99999", "http://[::1", "unix://"])
def test_an_address_at_which_nobody_listens_is_told(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("DOCKER_HOST", address)
    with pytest.raises(SandboxError, match=r"no Docker engine answers: tried .* \(.+\)"):
        connect()


def test_a_socket_that_this_user_may_not_use_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv("DOCKER_HOST", "unix:///run/docker.sock")
    monkeypatch.setattr(engines, "_knock", refuse)
    engines._connected.cache_clear()
    with pytest.raises(SandboxError, match="this user may not use it: that takes the group"):
        connect()


def test_an_engine_that_goes_away_while_it_is_tried_may_come_back(
    odd_engine: OddEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(*_: object) -> None:
        odd_engine.answer = lambda _: (500, b"")
        raise OSError("the connection was lost")

    monkeypatch.setattr(backends, "_open", leave)
    odd_engine.answer = lambda path: (200, version() if path == "/version" else b"{}")
    found = DockerBackend().probe()
    assert (found.works, found.passing) == (False, True)
    assert not DockerBackend().probe().passing  # it was not there to begin with
