"""Any signals, at any moment: the grader ends, and leaves no worker, no box and no half result."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Event, Thread

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader import cli
from grader.batch import class_run, stop_signals, workers
from grader.batch.job import Course
from grader.batch.report import similar_groups
from grader.batch.report.similar_groups import Alike
from grader.batch.stop_signals import Stopping, stop_on_signals
from grader.model import Limits
from tests.fake_backends import AnsweringBackend, FakeBox
from tests.grader.batch.conftest import PATIENCE, results_in

ASKED = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
SIGNALS = st.lists(
    st.tuples(st.sampled_from(ASKED), st.sampled_from([0.0, 0.001, 0.05, 0.3])), min_size=1, max_size=6
)


class Slow(AnsweringBackend):
    """A back end whose boxes take a moment, so that there are moments to stop it at."""

    def open(self, limits: Limits) -> FakeBox:
        time.sleep(0.05)
        return super().open(limits)


def arguments(submissions: Path, out: Path) -> list[str]:
    return ["batch", str(submissions), "--out", str(out), "--jobs", "2", "--quiet"]


def graded(course: Course, given: list[str]) -> int:
    """What the command's exit status is, where all boxes are fakes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(class_run, "load_plan", lambda *_, **__: course.plan)
        patched.setattr(class_run, "choose", lambda *_, **__: (Slow(), "a fake"))
        patched.setattr(class_run, "BACKENDS", {"fake": Slow})
        patched.setattr(class_run, "check_reference", lambda *_: None)
        patched.setattr(similar_groups, "group_similar", lambda *_: Alike())
        patched.setattr(similar_groups, "look_at", lambda _code: b"")
        patched.setattr(workers, "look_at", lambda _code: b"")
        patched.setattr(class_run, "prepare_to_compare", lambda: None)
        return cli.main(given)


def _alone(course: Course, given: list[str]) -> None:
    """The grader in a session of its own, as in a terminal."""
    os.setsid()
    for each in ASKED:
        signal.signal(each, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with Path(os.devnull).open("w", encoding="ascii") as nowhere:
        sys.stdout = sys.stderr = nowhere
        sys.exit(graded(course, given))


def members(session: int) -> list[psutil.Process]:
    """The processes of a session that have not ended."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


@contextlib.contextmanager
def started(course: Course, given: list[str]) -> Iterator[BaseProcess]:
    process = get_context("fork").Process(target=_alone, args=(course, given))
    process.start()
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid or 0, signal.SIGKILL)
        process.kill()
        process.join()


@pytest.mark.processes
@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # which would hide what failed
@given(signals=SIGNALS, after=st.sampled_from([0, 1, 2, 5]), to_all=st.booleans())
@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_signals_end_it_and_what_was_graded_is_kept(
    course: Course, class_folder: Path, signals: list[tuple[signal.Signals, float]], after: int, to_all: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        given = arguments(class_folder, out)
        with started(course, given) as process:
            wait_until(lambda: process.exitcode is not None or len(list(out.glob("*/results.json"))) >= after)
            wait_until(lambda: process.exitcode is not None or (out / "batch.log.jsonl").exists())
            for number, gap in signals:
                with contextlib.suppress(ProcessLookupError):
                    (os.killpg if to_all else os.kill)(process.pid or 0, number)
                process.join(gap)
            process.join(PATIENCE)
            is_over = len(results_in(out)) == len(list(class_folder.iterdir()))
            # once all is graded, a signal may end it before Python does
            assert process.exitcode in (0, 1) or (is_over and -(process.exitcode or 0) in ASKED)
            assert members(process.pid or 0) == []
        there = results_in(out)
        assert graded(course, given) == 0
        assert {name: results_in(out)[name] for name in there} == there
        assert len(results_in(out)) == len(list(class_folder.iterdir()))


def wait_until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_what_unwinds_is_not_torn_by_the_next_signal() -> None:
    closed = []

    def be_stopped() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGHUP)
            closed.append(True)

    with _restored(), pytest.raises(KeyboardInterrupt), stop_on_signals():
        be_stopped()
    assert closed


def test_signals_wait_while_they_are_held_back() -> None:
    reached = []

    def be_stopped() -> None:
        with stop_signals.signals_deferred(), stop_signals.signals_deferred():
            os.kill(os.getpid(), signal.SIGTERM)
            thread = Thread(target=os.kill, args=(os.getpid(), signal.SIGINT))
            thread.start()
            thread.join()
            reached.append(True)

    other = Event()  # a thread that the kernel may hand it to
    thread = Thread(target=other.wait)
    thread.start()
    try:
        with _restored(), stop_on_signals(), pytest.raises(KeyboardInterrupt):
            be_stopped()
    finally:
        other.set()
        thread.join()
    assert reached


def test_what_python_forgets_is_raised_again() -> None:
    class Closing:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    with _restored():
        stop = Stopping(KeyboardInterrupt)
        signal.signal(signal.SIGTERM, stop)
        stop.watch()

        def wait() -> None:
            Closing()
            assert signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0), "it is not raised again"
            signal.pause()

        try:
            with pytest.raises(KeyboardInterrupt):
                wait()
        finally:
            stop.unwatch()


@contextlib.contextmanager
def _restored() -> Iterator[None]:
    """Heed signals, as in a terminal; leave the handlers as they were, and the hook at the end."""
    before = {each: signal.getsignal(each) for each in (*ASKED, signal.SIGALRM)}
    for each in ASKED:
        signal.signal(each, signal.default_int_handler)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stop_signals, "_OF_THE_GRADER", Stopping(KeyboardInterrupt))
        patched.setattr("grader.batch.stop_signals.atexit.register", lambda _: None)
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)
