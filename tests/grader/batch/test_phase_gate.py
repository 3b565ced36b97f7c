"""The gate between the phases: never are two submissions of one batch in different ones."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from grader.batch.phase_gate import PhaseGate, Waited, named_gate, shared_seconds
from grader.sandbox.contents import cache_folder

pytestmark = pytest.mark.processes

CONTEXT = multiprocessing.get_context("fork")
PATIENCE = 120.0


@pytest.fixture
def name() -> Iterator[str]:
    with named_gate() as found:
        yield found


def note(log: Path, word: str) -> None:
    with log.open("ab", buffering=0) as file:
        file.write(f"{word}\n".encode())


def wait_for(what: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not what.exists():
        assert time.monotonic() < end
        time.sleep(0.005)


def many_submissions(name: str, places: int, log: Path, seed: int) -> None:
    gate, random = PhaseGate(name, shared_seconds(), places), Random(seed)

    def work(phase: str) -> None:
        note(log, f"+{phase}")
        time.sleep(random.random() / 1000)
        note(log, f"-{phase}")

    for _ in range(12):
        gate.show()
        for _ in range(random.randrange(4)):
            work("shown")
            gate.step_aside()
        work("shown")
        gate.hide()
        work("hidden")
        gate.leave()


@pytest.mark.parametrize(("places", "most"), [(0, 4), (2, 2)])
def test_nobody_is_in_one_phase_while_another_is_in_the_other(
    name: str, places: int, most: int, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    workers = [CONTEXT.Process(target=many_submissions, args=(name, places, log, seed)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE)
        assert worker.exitcode == 0
    inside = {"shown": 0, "hidden": 0}
    lines = log.read_text().split()
    assert lines.count("+hidden") == 4 * 12
    for line in lines:
        inside[line[1:]] += 1 if line[0] == "+" else -1
        assert 0 in inside.values()
        assert sum(inside.values()) <= most


def batches_until(name: str, places: int, there: Path, ended: Path, log: Path) -> None:
    def note_and_sleep(seconds: float) -> None:
        there.touch()
        time.sleep(seconds)

    gate = PhaseGate(name, shared_seconds(), places)
    with patch("grader.batch.phase_gate.sleep", note_and_sleep):
        gate.show()
    there.touch()
    while not ended.exists():
        gate.step_aside()
        time.sleep(0.001)
    note(log, "shown-is-over")
    gate.hide()
    gate.leave()


@contextmanager
def at_work(name: str, places: int, folder: Path) -> Iterator[Callable[[], None]]:
    """Somebody who is in the shown phase and makes batch after batch, as soon as there is a place, until it
    is told to stop."""
    there, ended = folder / "there", folder / "ended"
    process = CONTEXT.Process(target=batches_until, args=(name, places, there, ended, folder / "log"))
    process.start()
    try:
        wait_for(there)
        yield ended.touch
        process.join(PATIENCE)
        assert process.exitcode == 0
    finally:
        process.kill()
        process.join()


def test_who_makes_batches_steps_aside_for_one_who_goes_on_to_what_is_hidden(
    name: str, tmp_path: Path
) -> None:
    gate = PhaseGate(name, shared_seconds())
    gate.show()
    with at_work(name, 0, tmp_path) as stop:
        gate.hide()
        note(tmp_path / "log", "hidden")
        gate.leave()
        stop()
    assert (tmp_path / "log").read_text().split() == ["hidden", "shown-is-over"]


def in_phase(name: str, places: int, phase: str, entered: Path, seconds: Waited) -> None:
    gate = PhaseGate(name, seconds, places)
    gate.show()
    if phase == "hidden":
        gate.hide()
    entered.touch()
    time.sleep(PATIENCE)


def started(name: str, places: int, phase: str, entered: Path, seconds: Waited) -> BaseProcess:
    process = CONTEXT.Process(target=in_phase, args=(name, places, phase, entered, seconds))
    process.start()
    return process


@pytest.mark.parametrize("places", [0, 1])
@pytest.mark.parametrize(("first", "second"), [("shown", "hidden"), ("hidden", "shown")])
def test_one_that_is_killed_lets_the_others_in(
    name: str, places: int, first: str, second: str, tmp_path: Path
) -> None:
    seconds = shared_seconds()
    there = started(name, places, first, tmp_path / "there", shared_seconds())
    wait_for(tmp_path / "there")
    waiting = started(name, places, second, tmp_path / "entered", seconds)
    try:
        end = time.monotonic() + PATIENCE
        while seconds.value != math.inf:
            assert time.monotonic() < end
            time.sleep(0.005)
        assert not (tmp_path / "entered").exists()
        assert there.pid is not None
        os.kill(there.pid, signal.SIGKILL)
        wait_for(tmp_path / "entered")
        assert 0 < seconds.value < math.inf
    finally:
        for process in (there, waiting):
            process.kill()
            process.join()


def test_nothing_of_a_batch_is_left() -> None:
    with named_gate() as name:
        gate = PhaseGate(name, shared_seconds())
        gate.show()
        assert (cache_folder() / name).exists()
        gate.leave()
        gate.leave()
    assert not (cache_folder() / name).exists()
