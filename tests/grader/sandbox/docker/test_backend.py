"""What is particular to Docker: options, leftovers, images, frames."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from uuid import uuid4

import docker
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import SandboxError
from grader.sandbox import contents, docker_engine
from grader.sandbox import docker as backends
from grader.sandbox import docker as containers
from grader.sandbox import docker_engine as images
from grader.sandbox.base import Ending
from grader.sandbox.docker import DockerBackend, Frames
from grader.sandbox.docker_engine import build_image, find_or_build
from tests.grader.sandbox.boxes import PATIENCE, SMALL, Runner


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


@pytest.mark.usefixtures("engine")
def test_a_runner_with_nothing_to_do_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """To kill it would cost the engine a program more; a busy machine may take its time for it here."""
    monkeypatch.setattr(containers, "_IDLE_SECONDS", PATIENCE)
    assert Runner(DockerBackend()).close() == Ending(exit_status=0)


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


@pytest.mark.usefixtures("engine")
def test_an_image_that_is_there_is_not_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tag = find_or_build().tag
    monkeypatch.setattr(images, "_build", lambda *_: pytest.fail("built again"))
    assert find_or_build().tag == tag
    assert tag.startswith("maze-grader-box:")


def test_other_contents_make_another_image(client: docker.APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_or_build()
    extra = f"# {uuid4()}\n".encode()  # others may run this test now
    changed = {**contents.sources(), "inside/extra.py": extra}
    monkeypatch.setattr(images, "sources", lambda: changed)
    after = build_image()
    client.remove_image(after.tag)
    assert after.tag != before.tag
    assert after.base == before.base
    assert f"built {after.tag}" in after.note


@pytest.mark.usefixtures("engine")
def test_a_base_that_is_nowhere_is_told_with_the_way_out() -> None:
    with pytest.raises(SandboxError, match=r"localhost:1/none:1 is not on the machine .* --base IMAGE"):
        find_or_build("localhost:1/none:1")


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
