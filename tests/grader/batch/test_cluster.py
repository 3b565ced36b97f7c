"""A real Dask scheduler with two worker processes: the same bytes as here, and one of them is killed.

What starts a cluster is left to continuous integration, but for one job that a cluster grades here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from grader.batch.cluster import Cluster, PackedCourse, grade_task
from grader.batch.job import Course, Done, Job, MachineFault
from grader.course.plan import Plan, load_plan
from grader.intake.class_listing import HandIn
from grader.model import Submission
from tests.grader.batch.conftest import Grader, results_in
from tests.grader.batch.dask_cluster import DaskCluster

pytestmark = pytest.mark.processes

Start = Callable[..., Grader]


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[DaskCluster]:
    with ExitStack() as stack:
        yield DaskCluster(tmp_path, stack)


@pytest.mark.ci
def test_a_worker_that_dies_loses_nothing(
    start: Start, tmp_path: Path, dask: DaskCluster, undisturbed: dict[str, Any]
) -> None:
    dask.begin(workers=2)
    grader = start("--cluster", dask.address)
    grader.wait_for(lambda: grader.events("graded"))
    dask.workers[0].kill()
    status, _, errors = grader.finish()
    assert (status, errors) == (0, "")
    assert results_in(tmp_path / "out") == undisturbed


@pytest.mark.ci
def test_a_scheduler_that_dies_loses_nothing_where_another_takes_its_place(
    start: Start, tmp_path: Path, dask: DaskCluster, undisturbed: dict[str, Any]
) -> None:
    dask.begin(workers=2)
    grader = start("--cluster", dask.address)
    grader.wait_for(lambda: grader.events("graded"))
    dask.kill()
    dask.begin(workers=2)
    status, _, errors = grader.finish()
    assert status == 0, errors
    assert all(line.startswith("grader: ") for line in errors.splitlines())
    lost = errors.index(f"the Dask scheduler at {dask.address} is lost: what is not graded waits")
    assert lost < errors.index(f"connected to the Dask scheduler at {dask.address}: it goes on")
    assert results_in(tmp_path / "out") == undisturbed


@pytest.fixture(scope="module")
def plan(rubric: Path) -> Plan:
    return load_plan(rubric)


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


def _settings() -> dict[str, Any]:
    """What holds in a worker."""
    dask_config = import_module("dask.config")
    return {
        "profile": dask_config.get("distributed.worker.profile.enabled"),
        "tick": dask_config.get("distributed.admin.tick.interval"),
    }


def test_another_version_of_the_grader_gives_no_mark(plan: Plan) -> None:
    job = Job(HandIn("ada", ()), submission=Submission("ada", {}))
    kit = replace(PackedCourse(plan.rubric, "process", None, ""), sources="of last year")
    found = grade_task(job, kit, None)
    assert isinstance(found, MachineFault)
    assert found.lasting
    assert "another version" in found.reason
