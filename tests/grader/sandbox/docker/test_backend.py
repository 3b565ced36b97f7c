"""Engines that are not there or answer what none does; and the options, leftovers and frames of boxes."""

from __future__ import annotations

import ast
import json
import re
import socketserver
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from http.server import BaseHTTPRequestHandler
from threading import Thread

import docker
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import SandboxError
from grader.model import Limits
from grader.sandbox import contents, docker_engine
from grader.sandbox import docker as backends
from grader.sandbox import docker_engine as engines
from grader.sandbox.base import Ending
from grader.sandbox.docker import DockerBackend, Frames
from grader.sandbox.docker_engine import connect, find_or_build
from tests.grader.sandbox.boxes import SMALL, Runner


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


@pytest.mark.usefixtures("engine")
def test_a_container_has_nothing_that_it_could_use() -> None:
    with Runner(DockerBackend()) as runner:
        about = runner.box.client.inspect_container(runner.box.container)
        host, config = about["HostConfig"], about["Config"]
        assert host["NetworkMode"] == "none"
        assert host["ReadonlyRootfs"]
        assert host["CapDrop"] == ["ALL"]
        assert host["IpcMode"] == "none"
        assert host["SecurityOpt"] == ["no-new-privileges:true"]
        assert not host["Init"]
        assert host["Memory"] == host["MemorySwap"] == SMALL.memory_bytes
        assert host["LogConfig"]["Type"] == "none"
        assert not host["Privileged"]
        assert not host["Binds"]
        assert int(config["User"].split(":")[0]) >= 2_000_000_000
        assert not config["Tty"]
        assert about["Image"].startswith("sha256:")


@pytest.fixture
def abandoned(client: docker.APIClient) -> Iterator[str]:
    """A container of a grader that was killed."""
    program = (
        "import os\nfrom grader.sandbox.docker import DockerBackend\n"
        "from tests.grader.sandbox.boxes import Runner\n"
        "print(Runner(DockerBackend()).box.container, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    yield ran.stdout.strip()
    docker_engine.remove(client, ran.stdout.strip())


def test_leftovers_are_swept_and_others_boxes_are_not(client: docker.APIClient, abandoned: str) -> None:
    with Runner(DockerBackend()) as runner:
        docker_engine.sweep(client)
        assert runner.attack("found = 1") == 1
    with pytest.raises(docker.errors.NotFound):
        client.inspect_container(abandoned)


def test_a_grader_that_ends_removes_what_it_and_its_killed_workers_have_left(
    client: docker.APIClient,
) -> None:
    program = (
        "import os\nfrom multiprocessing import get_context\n"
        "from grader.sandbox.docker import DockerBackend\n"
        "from tests.grader.sandbox.boxes import Runner\n"
        "def work():\n    print(Runner(DockerBackend()).box.container, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "Own = Runner(DockerBackend())\nprint(Own.box.container, flush=True)\n"
        "worker = get_context('fork').Process(target=work)\nworker.start()\nworker.join()\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    left = ran.stdout.split()
    assert len(left) == 2
    for container in left:
        with pytest.raises(docker.errors.NotFound):
            client.inspect_container(container)


def test_a_box_that_somebody_removes_is_taken_away(client: docker.APIClient) -> None:
    runner = Runner(DockerBackend())
    client.remove_container(runner.box.container, force=True)
    assert runner.close() == Ending(taken_away=True)


@pytest.mark.usefixtures("engine")
def test_an_image_that_somebody_removes_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    found = iter(["sha256:" + "0" * 64, find_or_build().id])
    gone = lru_cache(lambda *_: next(found))
    monkeypatch.setattr(backends, "_image", gone)
    with Runner(DockerBackend()) as runner:
        assert runner.attack("found = 1") == 1


@pytest.mark.usefixtures("engine")
def test_process_1_and_the_machine_are_shut_without_landlock_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runner has made itself unreadable, and what counts for the whole machine is masked."""

    def without(*words: str, rules: str) -> list[str]:
        kept = {name: rule for name, rule in ast.literal_eval(rules).items() if name != "hide"}
        return contents.command(*words, rules=repr(kept))

    monkeypatch.setattr(backends, "command", without)
    with Runner(DockerBackend()) as runner:
        found = runner.attack("""
            own = open("/proc/self/status").read(4)
            for path in ("1/mem", "1/environ", "1/maps", "1/fd/0", "1/syscall", "stat", "loadavg", "meminfo"):
                try:
                    if open("/proc/" + path).read(1):
                        found.append(path)
                except OSError:
                    pass
            found = [own, found, os.listdir("/sys")]
            """)  # fmt: skip
        assert found == ["Name", [], []]


@pytest.mark.usefixtures("engine")
def test_the_container_holds_without_the_runners_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Docker's own filter, no capabilities and no network are walls of their own."""

    def without(*words: str, rules: str) -> list[str]:
        kept = {name: rule for name, rule in ast.literal_eval(rules).items() if name != "filter"}
        return contents.command(*words, rules=repr(kept))

    monkeypatch.setattr(backends, "command", without)
    with Runner(DockerBackend()) as runner:
        found = runner.attack("""
            import ctypes, socket
            libc = ctypes.CDLL(None, use_errno=True)
            opened = socket.socket().fileno() >= 0
            for act in (
                lambda: socket.create_connection(("192.0.2.1", 80), timeout=5),
                lambda: os.chroot("/"),
                lambda: open("/planted", "w"),
            ):
                try:
                    act()
                except OSError:
                    continue
                found.append("reached")
            if libc.unshare(0x10000000) == 0 or libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) == 0:
                found.append("reached")
            found = [opened, found]
            """)  # fmt: skip
        assert found == [True, []]


FRAMES = st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=300)), max_size=12)


@given(frames=FRAMES, cuts=st.lists(st.integers(1, 40), min_size=1))
def test_frames_are_taken_apart_wherever_they_are_cut(
    frames: list[tuple[int, bytes]], cuts: list[int]
) -> None:
    data = b"".join(bytes([kind, 0, 0, 0]) + len(text).to_bytes(4, "big") + text for kind, text in frames)
    taking, output, place, turn = Frames(), b"", 0, 0
    while place < len(data):
        size = cuts[turn % len(cuts)]
        output += taking.output(data[place : place + size])
        place, turn = place + size, turn + 1
    assert output == b"".join(text for kind, text in frames if kind == 1)
    assert taking.complaint == b"".join(text for kind, text in frames if kind == 2)[-4096:]
