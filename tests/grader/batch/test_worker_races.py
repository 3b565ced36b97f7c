"""Workers and the grader that started them: whatever the scheduler does in between costs no submission."""

from __future__ import annotations

import math
import os
import time
from dataclasses import replace
from multiprocessing.connection import Connection, Pipe
from multiprocessing.context import ForkProcess
from multiprocessing.process import BaseProcess
from unittest.mock import Mock

import pytest

from grader.batch import local_workers, worker
from grader.batch.job import Course, Done
from grader.batch.local_workers import LocalWorkers
from grader.batch.phase_gate import PhaseGate, named_gate, shared_seconds
from tests.fake_backends import AnsweringBackend
from tests.grader.batch.test_local_workers import answers, job


def test_a_worker_that_waits_before_its_job_is_noted_keeps_it(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds, send = shared_seconds(), Connection.send
    monkeypatch.setattr(local_workers, "shared_seconds", lambda: seconds)

    def send_slowly(pipe: Connection, sent: object) -> None:
        send(pipe, sent)
        while math.isfinite(seconds.value):
            time.sleep(0.01)

    with named_gate() as name:
        crew = LocalWorkers(replace(course, phases=name), AnsweringBackend, 1)
        hidden = PhaseGate(name, shared_seconds())
        hidden.show()
        hidden.hide()
        try:
            with monkeypatch.context() as patch:
                patch.setattr(Connection, "send", send_slowly)
                crew.give(job(), None)
            assert crew.wait(0) == []
            hidden.leave()
            assert {type(answer) for answer in answers(crew, 1).values()} == {Done}
        finally:
            hidden.leave()
            crew.close()


def refilled(pipe: Connection) -> Connection:
    """Return another pipe in which all lies already that a worker says of its job."""
    said = [pipe.recv()]
    while not isinstance(said[-1], Done):
        said.append(pipe.recv())
    assert len(said) > 1
    here, there = Pipe()
    for message in said:
        there.send(message)
    pipe.close()
    return here


def test_an_answer_that_came_while_the_grader_stood_still_counts(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_workers._Worker, "took", lambda member: math.inf if member.pipe.poll() else 0.0)
    crew = LocalWorkers(course, AnsweringBackend, 1)
    try:
        crew.give(job(), None)
        crew._workers[0].pipe = refilled(crew._workers[0].pipe)
        assert {type(answer) for answer in answers(crew, 1).values()} == {Done}
    finally:
        crew.close()


def test_workers_are_ended_where_not_all_of_them_can_be_started(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[BaseProcess] = []
    start = ForkProcess.start

    def start_two(process: ForkProcess) -> None:
        if len(started) == 2:
            raise KeyboardInterrupt
        start(process)
        started.append(process)

    monkeypatch.setattr(ForkProcess, "start", start_two)
    with pytest.raises(KeyboardInterrupt):
        LocalWorkers(course, AnsweringBackend, 3)
    assert [process.is_alive() for process in started] == [False, False]


@pytest.mark.parametrize(("parent", "ended"), [(1, []), (2, [1])])
def test_a_grader_may_be_process_1_of_its_container(
    monkeypatch: pytest.MonkeyPatch, parent: int, ended: list[int]
) -> None:
    left: list[int] = []
    monkeypatch.setattr("ctypes.CDLL", lambda _: Mock())
    monkeypatch.setattr(os, "getppid", lambda: 1)
    monkeypatch.setattr(os, "_exit", left.append)
    worker.die_with_parent(parent)
    assert left == ended
