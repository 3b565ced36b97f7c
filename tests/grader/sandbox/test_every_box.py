"""What holds for a box of every back end, apart from its promises: endings, threads, many at once."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import psutil
import pytest

from grader.sandbox.base import Backend
from grader.sandbox.piped_box import MOST_EXPENDABLE, PipedBox
from tests.grader.sandbox.boxes import MIB, PATIENCE, Runner


def test_a_box_outlives_the_thread_that_opened_it(backend: Backend) -> None:
    opened: list[Runner] = []
    thread = threading.Thread(target=lambda: opened.append(Runner(backend)))
    thread.start()
    thread.join()
    with opened[0] as runner:
        assert runner.attack("found = 'alive'") == "alive"


def test_what_is_sent_to_a_box_that_ended_breaks_the_pipe(backend: Backend) -> None:
    with Runner(backend) as runner:
        runner.box.kill()
        with pytest.raises(BrokenPipeError):
            runner.box.write(bytes(64 * MIB), deadline=time.monotonic() + PATIENCE)


def test_a_box_that_was_killed_ends_with_the_signal(backend: Backend) -> None:
    runner = Runner(backend)
    runner.start("wait(600)")  # one with nothing to do may end by itself as soon as nobody listens
    ending = runner.close()
    assert (ending.exit_status, ending.signal, ending.out_of_memory) == (None, 9, False)


def test_the_kernel_ends_a_box_before_the_grader(backend: Backend) -> None:
    with Runner(backend) as runner:
        box = runner.box
        if isinstance(box, PipedBox):
            started = psutil.Process(box.process.pid)
            first = (started.children() or [started])[0].pid
        else:
            first = box.client.inspect_container(box.container)["State"]["Pid"]
        assert int(Path(f"/proc/{first}/oom_score_adj").read_text("ascii")) == MOST_EXPENDABLE
