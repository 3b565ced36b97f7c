"""Workers that come from elsewhere: one with the certificate grades, and no other is given anything."""

from __future__ import annotations

import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.batch.cluster import Cluster
from grader.batch.cluster_scheduler import open_cluster
from grader.batch.job import Course, Done, Job
from grader.course.plan import load_plan
from grader.errors import InputError
from grader.intake.class_listing import HandIn
from grader.model import Submission

ROOT = Path(__file__).parents[3]
_PATIENCE = 120.0
"""Seconds within which a process does what a test waits for, on a machine that has more to do."""


class _Elsewhere:
    """A folder that stands for another machine, with workers that are started there as the service says."""

    def __init__(self, folder: Path, command: str, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._words = shlex.split(command.replace("$(nproc)", "1"))[2:]

    def start(self, certificate: Path, grader: Path = ROOT) -> subprocess.Popen[str]:
        folder = self._folder / certificate.stem
        folder.mkdir(exist_ok=True)
        shutil.copy(certificate, folder / "cluster.pem")
        options = ("--no-nanny", "--no-dashboard", "--death-timeout", "5")
        command = [sys.executable, "-W", "ignore", "-m", "distributed.cli.dask_worker", *self._words]
        env = {"PYTHONPATH": str(grader), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
        process = subprocess.Popen(
            [*command, *options], cwd=folder, env=env, stderr=subprocess.PIPE, text=True
        )
        self._stack.callback(process.communicate, timeout=60)
        self._stack.callback(process.kill)
        return process


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def _listen(stack: ExitStack, folder: Path) -> tuple[str, _Elsewhere]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address, told = stack.enter_context(open_cluster(f"listen:127.0.0.1:{port}", folder / "cluster.pem"))
    return address, _Elsewhere(folder, told.splitlines()[-1], stack)


@pytest.mark.processes
@pytest.mark.ci
def test_who_lacks_the_certificate_or_the_version_is_given_nothing(
    rubric: Path, tmp_path: Path, stack: ExitStack, capsys: pytest.CaptureFixture[str]
) -> None:
    address, elsewhere = _listen(stack, tmp_path)
    assert (tmp_path / "cluster.pem").stat().st_mode & 0o077 == 0
    crew = Cluster(address, Course(load_plan(rubric), "process"), waits=True)
    stack.callback(crew.close)
    stranger = elsewhere.start(_another_certificate(tmp_path))
    assert stranger.wait(_PATIENCE) != 0, "it comes to nobody within its time, and gives up"
    assert not _workers(crew)
    other = shutil.copytree(ROOT / "grader", tmp_path / "other/grader").parent
    for name in ("lab", "reference", "student_template"):
        (other / name).symlink_to(ROOT / name)
    (other / "grader/points.py").write_text((ROOT / "grader/points.py").read_text() + "\n# of last year\n")
    elsewhere.start(tmp_path / "cluster.pem", other)
    assert _until(lambda: crew.free() == 0 and "another version" in capsys.readouterr().err)
    assert len(_workers(crew)) == 1
    elsewhere.start(tmp_path / "cluster.pem")
    assert _until(lambda: crew.free() > 0)
    crew.give(Job(HandIn("ada", ()), submission=Submission("ada", {})), None)
    answers: list[Any] = []
    while not answers:
        answers = crew.wait(1.0)
    assert isinstance(answers[0][1], Done)


def _workers(crew: Cluster) -> dict[str, int]:
    found: dict[str, int] = crew._client.nthreads()
    return found


def _until(holds: Any) -> bool:
    end = time.monotonic() + _PATIENCE
    while not (found := bool(holds())) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def _another_certificate(folder: Path) -> Path:
    made, path = import_module("distributed").Security.temporary(), folder / "stranger.pem"
    path.write_text(made.tls_ca_file + made.tls_worker_key)
    return path


@pytest.mark.processes
@pytest.mark.ci
def test_nobody_speaks_without_tls(tmp_path: Path, stack: ExitStack) -> None:
    address, _ = _listen(stack, tmp_path)
    dask, config = import_module("distributed"), import_module("dask.config")
    plain = {"distributed.comm.require-encryption": False, "distributed.comm.tls.ca-file": None}
    with config.set(plain):
        for wrong in (address.replace("tls://", "tcp://"), address):
            with pytest.raises((OSError, TypeError)):
                dask.Client(wrong, timeout=2)


@pytest.mark.processes
@pytest.mark.ci
def test_nothing_else_listens_beyond_this_machine(tmp_path: Path) -> None:
    """Dask would show in clear, at a port of its own, what is done where."""
    before = set(psutil.Process().net_connections())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with open_cluster(f"listen:0.0.0.0:{port}", tmp_path / "cluster.pem"):
        opened = set(psutil.Process().net_connections()) - before
        beyond = [each.laddr for each in opened if each.status == "LISTEN" and each.laddr.ip != "127.0.0.1"]
        assert [each.port for each in beyond] == [port]


@pytest.mark.parametrize("address", ["tcp://192.0.2.7:8786", "192.0.2.7:8786", "ws://192.0.2.7:8786"])
def test_beyond_this_machine_is_tls_alone(address: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected tls://"), open_cluster(address, tmp_path / "cluster.pem"):
        pass


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:8786", "localhost:8786", "local:2", "tls://192.0.2.7:8786"]
)
def test_what_is_here_or_has_tls_is_as_it_was(address: str, tmp_path: Path) -> None:
    with open_cluster(address, tmp_path / "cluster.pem") as opened:
        assert opened == (address, "")


def test_a_port_is_needed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="listen:HOST:PORT"), open_cluster("listen:here", tmp_path / "c.pem"):
        pass
