"""A real Dask scheduler with two worker processes: the same bytes as here, and one of them is killed."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from grader.batch import cluster
from grader.batch.cluster import AHEAD, Cluster, Kit, grade_task
from grader.batch.job import Course, Done, Fault, Job
from grader.course.plan import Plan, load_plan
from grader.errors import InputError
from grader.intake.class_listing import HandIn
from grader.model import Submission
from tests.grader.batch.conftest import Grader, results_in

Start = Callable[..., Grader]


class Processes:
    """The scheduler and its workers."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._file, self._stack = folder / "scheduler.json", stack
        self._launch("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show")
        end = time.monotonic() + 300
        while not (written := self._written()):
            assert time.monotonic() < end
            time.sleep(0.05)
        self.address: str = written["address"]
        self.workers = [
            self._launch("distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny") for _ in range(2)
        ]

    def _written(self) -> dict[str, Any]:
        """What the scheduler tells of itself; nothing while the file is not there, or not whole."""
        try:
            found: dict[str, Any] = json.loads(self._file.read_text())
        except (OSError, ValueError):
            return {}
        return found

    def _launch(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-W",
            "ignore",
            "-m",
            module,
            "--scheduler-file",
            str(self._file),
            *options,
        ]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._stack.callback(process.wait, 30)
        self._stack.callback(process.terminate)
        return process


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    with ExitStack() as stack:
        yield Processes(tmp_path, stack)


def test_a_worker_that_dies_loses_nothing(
    start: Start, tmp_path: Path, processes: Processes, undisturbed: dict[str, Any]
) -> None:
    grader = start("--cluster", processes.address)
    grader.wait_for(lambda: grader.events("graded"))
    processes.workers[0].kill()
    status, _, errors = grader.finish()
    assert (status, errors) == (0, "")
    assert results_in(tmp_path / "out") == undisturbed


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match="expected the address of a Dask scheduler"):
        Cluster("tcp://127.0.0.1:9", Course(plan, "process"))


def test_a_lost_worker_is_told_by_the_grader_alone(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> None:
    """Dask would write a line of its own where a worker dies before its answer is fetched."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    for logger in loggers:
        monkeypatch.setattr(logger, "level", logging.WARNING)
        logger.manager._clear_cache()  # type: ignore[attr-defined]
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError):
        Cluster("tcp://127.0.0.1:9", Course(plan, "process"))
    assert not any(logger.isEnabledFor(logging.WARNING) for logger in loggers)


def test_a_cluster_here_costs_little_beside_its_work(plan: Plan) -> None:
    """Dask does not watch where its processes are, nor wake them up more than once a second."""
    crew = Cluster("local:1", Course(plan, "process"))
    try:
        crew.give(Job(HandIn("ada", ()), submission=Submission("ada", {})), None)
        answers: list[Any] = []
        while not answers:
            answers = crew.wait(1.0)
        (settings,) = crew._client.run(_settings).values()
    finally:
        crew.close()
    assert isinstance(answers[0][1], Done)
    assert settings == {"profile": False, "tick": "1s"}


def test_a_cluster_here_has_workers_to_spare_for_when_some_wait(plan: Plan) -> None:
    crew = Cluster("local:2", Course(plan, "process"))
    try:
        assert (crew.at_once, crew.free()) == (2, 3 * AHEAD)
    finally:
        crew.close()


def _settings() -> dict[str, Any]:
    """What holds in a worker."""
    dask_config = import_module("dask.config")
    return {
        "profile": dask_config.get("distributed.worker.profile.enabled"),
        "tick": dask_config.get("distributed.admin.tick.interval"),
    }


@pytest.fixture(scope="module")
def plan(rubric: Path) -> Plan:
    return load_plan(rubric)


def test_another_version_of_the_grader_gives_no_mark(plan: Plan) -> None:
    job = Job(HandIn("ada", ()), submission=Submission("ada", {}))
    kit = replace(Kit(plan.rubric, "process", None, "", 0, ""), sources="of last year")
    found = grade_task(job, kit, None)
    assert isinstance(found, Fault)
    assert found.lasting
    assert "another version" in found.reason
