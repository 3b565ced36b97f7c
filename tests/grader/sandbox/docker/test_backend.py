"""What is particular to Docker: frames, options, leftovers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import docker
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox.docker.backend import DockerBackend, _Frames, leftovers
from tests.grader.sandbox.boxes import SMALL, Runner

FRAMES = st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=300)), max_size=12)


@given(frames=FRAMES, cuts=st.lists(st.integers(1, 40), min_size=1))
def test_frames_are_taken_apart_wherever_they_are_cut(
    frames: list[tuple[int, bytes]], cuts: list[int]
) -> None:
    data = b"".join(bytes([kind, 0, 0, 0]) + len(text).to_bytes(4, "big") + text for kind, text in frames)
    taking, output, place, turn = _Frames(), b"", 0, 0
    while place < len(data):
        size = cuts[turn % len(cuts)]
        output += taking.output(data[place : place + size])
        place, turn = place + size, turn + 1
    assert output == b"".join(text for kind, text in frames if kind == 1)
    assert taking.complaint == b"".join(text for kind, text in frames if kind == 2)[-4096:]


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
        assert host["Init"]
        assert host["Memory"] == host["MemorySwap"] == SMALL.memory_bytes
        assert host["LogConfig"]["Type"] == "none"
        assert not host["Privileged"]
        assert not host["Binds"]
        assert int(config["User"].split(":")[0]) >= 2_000_000_000
        assert not config["Tty"]
        assert about["Image"].startswith("sha256:")


def test_a_closed_box_leaves_no_container(client: docker.APIClient) -> None:
    runner = Runner(DockerBackend())
    container = runner.box.container
    runner.close()
    with pytest.raises(docker.errors.NotFound):
        client.inspect_container(container)


@pytest.fixture
def abandoned(client: docker.APIClient) -> Iterator[str]:
    """A container of a grader that was killed."""
    program = (
        "import os\nfrom grader.sandbox.docker.backend import DockerBackend\n"
        "from tests.grader.sandbox.boxes import Runner\n"
        "print(Runner(DockerBackend()).box.container, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    yield ran.stdout.strip()
    leftovers.remove(client, ran.stdout.strip())


def test_leftovers_are_swept_and_others_boxes_are_not(client: docker.APIClient, abandoned: str) -> None:
    with Runner(DockerBackend()) as runner:
        leftovers.sweep(client)
        assert runner.attack("found = 1") == 1
    with pytest.raises(docker.errors.NotFound):
        client.inspect_container(abandoned)
