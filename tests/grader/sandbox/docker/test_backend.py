"""What is particular to Docker: options, leftovers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import docker
import pytest

from grader.sandbox.docker import leftovers
from grader.sandbox.docker.backend import DockerBackend
from tests.grader.sandbox.boxes import SMALL, Runner


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
