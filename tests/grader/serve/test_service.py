"""The whole service, in processes of its own: it is killed, stopped, and started again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.serve.data_folder import DataFolder
from grader.serve.store import credentials, marks
from grader.serve.store.database import Store
from tests.grader.batch.conftest import ROOT, small_rubric
from tests.grader.command import ALONE
from tests.grader.intake.shapes import RIGHT, zipped
from tests.grader.serve.made import COURSE, a_person, now
from tests.submissions.loader import Case

pytestmark = pytest.mark.processes

PATIENCE = 900.0


class Service:
    """``grader serve`` with one worker."""

    def __init__(self, data: DataFolder, course: Path) -> None:
        command = [sys.executable, "-c", ALONE, "serve", "--data", str(data.folder), "--course", str(course)]
        self.process = subprocess.Popen(
            [*command, "--port", "0", "--jobs", "1", "--sandbox", "process"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url = self.until("Hand in at ").split()[-1]
        self.family = psutil.Process(self.process.pid).children(recursive=True)

    def until(self, words: str) -> str:
        """The line with these words, once it is printed."""
        for line in self.process.stdout or ():
            if words in line:
                return line
        raise AssertionError(f"it ended without a word of {words!r}")

    def call(self, path: str, key: str, body: bytes | None = None) -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        request = urllib.request.Request(self.url + path, body, headers)  # noqa: S310 - of our own
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return json.load(answer)

    def kill(self) -> None:
        """End it without a word, and see that nothing of it stays."""
        self.process.kill()
        self.process.wait()
        _, alive = psutil.wait_procs(self.family, timeout=PATIENCE)
        assert alive == []

    def stop(self) -> str:
        """Have it stop; its last words."""
        self.process.send_signal(signal.SIGTERM)
        told, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0
        return told


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rubric") / COURSE
    folder.mkdir()
    small_rubric(folder)
    return folder


@pytest.fixture
def start(data: DataFolder, course: Path) -> Iterator[Callable[[], Service]]:
    started: list[Service] = []

    def begin() -> Service:
        started.append(Service(data, course))
        return started[-1]

    yield begin
    for service in started:
        service.process.kill()
        service.process.wait()
        if service.process.stdout:
            service.process.stdout.close()


@pytest.fixture
def key(store: Store) -> str:
    return credentials.create_token(store, a_person(store).id, "test", time.time())


@pytest.fixture(scope="module")
def answers() -> bytes:
    return zipped(RIGHT)


@pytest.fixture(scope="module")
def slow() -> bytes:
    """What is graded for longer than it takes to hand in something else."""
    return zipped(Case("wrong", "dfs-never-marks").files())


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


def state(store: Store, attempt: str) -> str:
    return now(store, attempt).state


def test_what_is_acknowledged_is_graded_whatever_happens(
    start: Callable[[], Service], store: Store, key: str, answers: bytes, slow: bytes
) -> None:
    service = start()
    first = service.call("/api/submit", key, slow)["attempt"]
    until(lambda: state(store, first) != "waiting")
    second = service.call("/api/submit", key, answers)["attempt"]
    service.kill()
    assert state(store, second) in {"waiting", "running"}
    service = start()
    until(lambda: {state(store, first), state(store, second)} <= {"graded", "replaced"})
    assert state(store, second) == "graded"
    told = service.call(f"/api/attempts/{second}", key)
    assert (told["state"], told["score"], told["max_score"]) == ("graded", 100.0, 100.0)
    until(lambda: marks.list_flagged_people(store, COURSE) == [])
    assert service.stop().endswith("no attempts are waiting\n")


def test_it_stops_gently_and_says_what_is_left(
    data: DataFolder, start: Callable[[], Service], store: Store, key: str, answers: bytes, slow: bytes
) -> None:
    service = start()
    first = service.call("/api/submit", key, slow)["attempt"]
    until(lambda: state(store, first) == "running")
    second = service.call("/api/submit", key, answers)["attempt"]
    told = service.stop()
    assert "stopping after the attempts that are being graded" in told
    assert told.endswith("1 attempt waiting: graded when the service starts again\n")
    assert (state(store, first), state(store, second)) == ("graded", "waiting")
    assert data.course(COURSE).has_table
    _, alive = psutil.wait_procs(service.family, timeout=PATIENCE)
    assert alive == []
