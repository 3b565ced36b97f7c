"""Running a call with room for recursion, and stopping it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lab import worker
from scripts.check_wheel import other_pythons
from tests.lab import stopped_calls

ROOT = Path(__file__).parents[2]


@pytest.fixture
def _in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_MONITORING", None)


def test_values_and_exceptions_come_through() -> None:
    assert worker.run(lambda: 42) == 42
    with pytest.raises(SystemExit, match="3"):
        worker.run(lambda: sys.exit(3))
    with pytest.raises(KeyboardInterrupt, match="of the code's own"):
        worker.run(_interrupts)


class _EndsNever:
    def __del__(self) -> None:
        while True:
            pass


def test_an_end_that_python_cannot_pass_on_is_not_reported(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(worker.TookTooLong):
        worker.run(lambda: bool(_EndsNever()), seconds=0.1)
    assert capfd.readouterr().err == ""


@pytest.mark.usefixtures("_in_a_thread")
def test_nor_one_that_is_raised_in_a_thread(capfd: pytest.CaptureFixture[str]) -> None:
    test_an_end_that_python_cannot_pass_on_is_not_reported(capfd)


def _interrupts() -> None:
    raise KeyboardInterrupt("of the code's own")


def test_recursion_goes_deep_and_the_limits_are_put_back() -> None:
    before = sys.getrecursionlimit(), threading.stack_size()

    def depth(number: int) -> int:
        return 0 if number == 0 else 1 + depth(number - 1)

    assert worker.run(lambda: depth(15_000)) == 15_000
    assert (sys.getrecursionlimit(), threading.stack_size()) == before


def test_endless_recursion_is_an_exception_not_a_crash() -> None:
    def endless() -> None:
        endless()

    with pytest.raises(RecursionError):
        worker.run(endless)


@pytest.mark.processes
def test_calls_without_an_end_are_stopped_by_every_python() -> None:
    """Before Python 3.12 in a thread, and after by what the interpreter tells of its events."""
    for python in (sys.executable, *other_pythons().values()):
        command, environment = (str(python), "-P", stopped_calls.__file__), {"PYTHONPATH": str(ROOT)}
        subprocess.run(command, check=True, env=os.environ | environment)


@pytest.mark.parametrize(
    ("passed", "used", "counts"),
    [(0.05, 0.0, 0.05), (3600.0, 0.0, 1.0), (90.0, 90.0, 90.0), (90.0, 30.0, 30.0)],
    ids=["waits", "is stopped", "one long call inside of C", "a busy machine"],
)
def test_the_time_that_a_process_is_awake(
    monkeypatch: pytest.MonkeyPatch, passed: float, used: float, counts: float
) -> None:
    wall, cpu = iter([100.0, 100.0 + passed]), iter([5.0, 5.0 + used])
    monkeypatch.setattr(worker, "monotonic", lambda: next(wall))
    monkeypatch.setattr(worker, "process_time", lambda: next(cpu))
    assert worker.Awake()() == pytest.approx(counts)


@pytest.mark.usefixtures("_in_a_thread")
@pytest.mark.parametrize("clock", [None, lambda: 0.0])
def test_a_call_that_is_stopped_for_an_hour_does_not_take_one(
    monkeypatch: pytest.MonkeyPatch, clock: Callable[[], float] | None
) -> None:
    started, asked, real = threading.Event(), threading.Semaphore(0), time.monotonic

    def monotonic() -> float:
        if started.is_set():
            asked.release()
        return real() + 3600.0 * started.is_set()

    monkeypatch.setattr(worker, "monotonic", monotonic)

    def call() -> str:
        started.set()
        for _ in range(3):
            asked.acquire()  # whoever waits for the call looks at the clock once more
        return "done"

    assert worker.run(call, seconds=600.0, clock=clock) == "done"


@pytest.mark.usefixtures("_untraced", "_in_a_thread")
def test_an_interrupt_while_the_thread_is_started_is_one_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        thread.start()
        raise KeyboardInterrupt

    monkeypatch.setattr(worker, "_start", start)
    with pytest.raises(worker.Interrupted):
        worker.run(stopped_calls.loop)


def test_how_slow_a_computer_is_lies_between_one_and_twenty(monkeypatch: pytest.MonkeyPatch) -> None:
    for usual, measured in ((1e9, 1.0), (1e-9, 20.0)):
        monkeypatch.setattr(worker, "_USUAL_SECONDS", usual)
        assert worker.slowness() == measured


def test_a_slow_computer_gets_more_time_on_the_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    def slept(seconds: float, turns: int) -> str:
        for _ in range(turns):
            time.sleep(seconds)
        return "done"

    monkeypatch.setattr(worker, "slowness", lambda: 1e9)
    assert worker.run(lambda: slept(0.2, 1), seconds=1e-3, clock=lambda: 0.0) == "done"
    monkeypatch.setattr(worker, "slowness", lambda: 1.0)
    with pytest.raises(worker.TookTooLong):
        worker.run(lambda: slept(0.01, 500), seconds=1e-3, clock=lambda: 0.0)
