"""Things are killed for real; afterwards every submission has the result that it would have had."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from docker.errors import APIError

from grader.batch.journal import hold
from grader.sandbox.docker_engine import BOX_LABEL, connect
from tests.grader.batch.conftest import Grader, results_in

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("_untraced")]

Start = Callable[..., Grader]
TRIES = 5
"""Where a machine is so busy that all are graded before anything is killed, it is tried 4 times more."""


def has_done(grader: Grader, count: int) -> bool:
    return len(grader.events("graded")) + len(grader.events("unchanged")) >= count


def without_sandbox(results: dict[str, Any]) -> dict[str, Any]:
    return {
        name: {k: v for k, v in one.items() if k not in ("sandbox", "isolation")}
        for name, one in results.items()
    }


def test_the_grader_is_killed_again_and_again(
    start: Start, tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    for count in (1, 4):
        grader = start("--resume")
        grader.wait_for(partial(has_done, grader, count))
        workers = grader.workers()
        grader.kill()
        psutil.wait_procs(workers, timeout=120)
        assert [worker for worker in workers if worker.is_running() and worker.status() != "zombie"] == []
        there = results_in(tmp_path / "out")
        assert there == {name: undisturbed[name] for name in there}
    last = start("--resume")
    assert last.finish()[0] == 0
    assert len(last.events("unchanged")) >= 2
    assert results_in(tmp_path / "out") == undisturbed


@pytest.mark.ci
def test_a_person_stops_it(start: Start, tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    for tried in range(TRIES):
        out = tmp_path / str(tried)
        grader = start(out=out)
        grader.wait_for(partial(grader.events, "graded"))
        workers = grader.workers()
        status, _, errors = grader.kill(signal.SIGINT)
        if status:
            break
    assert status == 1
    assert "of 6 submissions have their results; go on with --resume" in errors
    assert not any(worker.is_running() for worker in workers)
    assert "not graded yet" in (out / "index.html").read_text()
    assert start("--resume", out=out).finish()[0] == 0
    assert results_in(out) == undisturbed


def test_two_graders_do_not_share_a_folder(start: Start, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with hold(tmp_path / "out"):
        status, _, errors = start().finish()
    assert (status, "another grader is working in this folder" in errors) == (1, True)


@pytest.mark.ci
def test_a_worker_is_killed(start: Start, tmp_path: Path, undisturbed: dict[str, Any]) -> None:
    retries: list[dict[str, Any]] = []
    for number in range(TRIES):
        grader = start(out=tmp_path / str(number))
        grader.wait_for(partial(grader.events, "graded"))
        for worker in grader.workers():
            with contextlib.suppress(psutil.NoSuchProcess):
                worker.kill()
        status, _, errors = grader.finish()
        assert (status, errors) == (0, "")
        assert results_in(tmp_path / str(number)) == undisturbed
        if retries := grader.events("retry"):
            break
    assert "signal 9" in retries[0]["reason"]


@pytest.mark.ci
def test_a_container_is_removed_by_somebody(
    start: Start, tmp_path: Path, docker_engine: str, undisturbed: dict[str, Any]
) -> None:
    grader = start(sandbox=docker_engine)
    grader.wait_for(lambda: grader.events("graded"))
    client = connect()
    own = {f"{worker.pid}" for worker in grader.workers()}
    for container in client.containers(filters={"label": BOX_LABEL}):
        if any(pid in str(container["Labels"]) for pid in own):
            with contextlib.suppress(APIError):  # its own grader was quicker
                client.remove_container(container["Id"], force=True)
    assert grader.finish()[0] == 0
    assert without_sandbox(results_in(tmp_path / "out")) == without_sandbox(undisturbed)


@pytest.fixture
def engine_of_our_own(docker_engine: str) -> Iterator[Engine]:  # noqa: ARG001 - whose image it borrows
    with tempfile.TemporaryDirectory(prefix="mg-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        engine = Engine(Path(folder))  # a short path: the engine makes sockets below it
        try:
            engine.start()
            engine.borrow_base()
            yield engine
        finally:
            engine.stop()


class Engine:
    """A Docker engine beside the one that others use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = f"unix://{folder}/docker.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        (self.folder / "docker.pid").unlink(missing_ok=True)
        options = [
            *(f"--host={self.address}", f"--pidfile={self.folder}/docker.pid", "--group=root"),
            *(f"--data-root={self.folder}/data", f"--exec-root={self.folder}/exec"),
            *("--iptables=false", "--ip6tables=false", "--ip-masq=false", "--bridge=none"),
            *("--exec-opt=native.cgroupdriver=cgroupfs", "--log-level=error"),
        ]
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            ["dockerd", *options], stdout=log, stderr=log, start_new_session=True
        )
        log.close()
        self._docker("version", retry=True)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)
            self._process = None

    def borrow_base(self) -> None:
        """Hand over the base image of the engine that others use."""
        client = connect()
        name = next(tag for image in client.images("maze-grader-base") for tag in image["RepoTags"])
        archive = self.folder / "base.tar"
        with archive.open("wb") as file:
            for part in client.get_image(name):
                file.write(part)
        self._docker("load", "--input", str(archive))

    def _docker(self, *arguments: str, retry: bool = False) -> None:
        for _ in range(600):
            done = subprocess.run(["docker", "--host", self.address, *arguments], capture_output=True)
            if done.returncode == 0:
                return
            if not retry:
                break
            subprocess.run(["sleep", "0.1"], check=True)
        raise AssertionError((done.stderr, (self.folder / "log").read_text()[-2000:]))


@pytest.mark.ci
def test_the_engine_is_restarted_in_the_middle(
    start: Start,
    tmp_path: Path,
    engine_of_our_own: Engine,
    lasting_class: Path,
    undisturbed: dict[str, Any],
) -> None:
    grader = start(of=lasting_class, sandbox="docker", DOCKER_HOST=engine_of_our_own.address)
    grader.wait_for(lambda: grader.events("graded"))
    engine_of_our_own.stop()
    grader.wait_for(lambda: grader.events("retry"))
    engine_of_our_own.start()
    status, output, errors = grader.finish()
    assert (status, errors) == (0, ""), output
    there = without_sandbox(results_in(tmp_path / "out"))
    assert there.pop("dan")["score"] == 50.0
    assert there == {name: one for name, one in without_sandbox(undisturbed).items() if name != "dan"}
