"""The gate between the phases: never are two submissions of one batch in different ones."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path
from random import Random

import pytest

from grader.batch.phase_gate import PhaseGate, Waited, named_gate, shared_seconds
from grader.errors import SandboxError
from grader.sandbox.cache import cache_folder

CONTEXT = multiprocessing.get_context("fork")
PATIENCE = 120.0


@pytest.fixture
def name() -> Iterator[str]:
    with named_gate() as found:
        yield found


def note(log: Path, word: str) -> None:
    with log.open("ab", buffering=0) as file:
        file.write(f"{word}\n".encode())


def many_submissions(name: str, log: Path, seed: int) -> None:
    gate, random = PhaseGate(name), Random(seed)
    for _ in range(12):
        for enter, phase in ((gate.show, "shown"), (gate.hide, "hidden")):
            enter()
            note(log, f"+{phase}")
            time.sleep(random.random() / 1000)
            note(log, f"-{phase}")
        gate.leave()


def test_nobody_is_in_one_phase_while_another_is_in_the_other(name: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    workers = [CONTEXT.Process(target=many_submissions, args=(name, log, seed)) for seed in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE)
        assert worker.exitcode == 0
    inside = {"shown": 0, "hidden": 0}
    lines = log.read_text().split()
    assert len(lines) == 3 * 12 * 4
    for line in lines:
        inside[line[1:]] += 1 if line[0] == "+" else -1
        assert 0 in inside.values()


def in_phase(name: str, phase: str, entered: Path, seconds: Waited | None) -> None:
    gate = PhaseGate(name, seconds)
    gate.show()
    if phase == "hidden":
        gate.hide()
    entered.touch()
    time.sleep(PATIENCE)


def started(name: str, phase: str, entered: Path, seconds: Waited | None = None) -> BaseProcess:
    process = CONTEXT.Process(target=in_phase, args=(name, phase, entered, seconds))
    process.start()
    return process


def wait_for(what: Path) -> None:
    end = time.monotonic() + PATIENCE
    while not what.exists():
        assert time.monotonic() < end
        time.sleep(0.005)


def both_phases(name: str, together: Barrier) -> None:
    gate = PhaseGate(name)
    gate.show()
    together.wait(PATIENCE)
    gate.hide()
    together.wait(PATIENCE)


def test_in_one_phase_they_go_side_by_side(name: str) -> None:
    together = CONTEXT.Barrier(2)
    both = [CONTEXT.Process(target=both_phases, args=(name, together), daemon=True) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(PATIENCE)
        assert process.exitcode == 0


@pytest.mark.parametrize(("first", "second"), [("shown", "hidden"), ("hidden", "shown")])
def test_one_that_is_killed_lets_the_others_in(name: str, first: str, second: str, tmp_path: Path) -> None:
    seconds = shared_seconds()
    there = started(name, first, tmp_path / "there")
    wait_for(tmp_path / "there")
    waiting = started(name, second, tmp_path / "entered", seconds)
    try:
        end = time.monotonic() + PATIENCE
        while seconds.value != math.inf:
            assert time.monotonic() < end
            time.sleep(0.005)
        assert not (tmp_path / "entered").exists()
        assert there.pid is not None
        os.kill(there.pid, signal.SIGKILL)
        wait_for(tmp_path / "entered")
        assert 0 < seconds.value < PATIENCE
    finally:
        for process in (there, waiting):
            process.kill()
            process.join()


def test_nothing_of_a_batch_is_left() -> None:
    with named_gate() as name:
        gate = PhaseGate(name)
        gate.show()
        assert (cache_folder() / name).exists()
        gate.leave()
        gate.leave()
    assert not (cache_folder() / name).exists()


def test_two_batches_have_nothing_to_do_with_each_other(name: str) -> None:
    with named_gate() as other:
        one, two = PhaseGate(name), PhaseGate(other)
        one.show()
        two.show()
        two.hide()
        one.leave()
        two.leave()


def test_a_gate_that_cannot_be_kept_is_a_fault_of_the_machine(name: str) -> None:
    gate = PhaseGate(f"{name}/not-a-folder")
    with pytest.raises(SandboxError, match=r"cannot open .*: No such file or directory; free some space"):
        gate.show()
