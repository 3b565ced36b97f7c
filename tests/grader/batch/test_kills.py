"""Things are killed for real; afterwards every submission has the result that it would have had."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.disk import hold
from tests.grader.batch.conftest import Grader, results_in

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("_untraced")]

Start = Callable[..., Grader]
TRIES = 5
"""Where a machine is so busy that all are graded before anything is killed, it is tried 4 times more."""


def has_done(grader: Grader, count: int) -> bool:
    return len(grader.events("graded")) + len(grader.events("unchanged")) >= count


def test_the_grader_is_killed_again_and_again(
    start: Start, tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    for count in (1, 4):
        grader = start()
        grader.wait_for(partial(has_done, grader, count))
        workers = grader.workers()
        grader.kill()
        psutil.wait_procs(workers, timeout=120)
        assert [worker for worker in workers if worker.is_running() and worker.status() != "zombie"] == []
        there = results_in(tmp_path / "out")
        assert there == {name: undisturbed[name] for name in there}
    last = start()
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
    assert "of 6 submissions have their results; the same command goes on" in errors
    assert not any(worker.is_running() for worker in workers)
    assert "not graded yet" in (out / "index.html").read_text()
    assert start(out=out).finish()[0] == 0
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
