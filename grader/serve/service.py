"""Runs the service: starts its parts in order, supervises them, and stops them."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from os import cpu_count
from pathlib import Path
from types import FrameType
from typing import Final

from grader.batch.cluster import Cluster
from grader.batch.job import Course
from grader.batch.local_workers import LocalWorkers
from grader.batch.lock import hold
from grader.batch.orchestrator import Executor
from grader.batch.phase_gate import named_gate
from grader.batch.reference_check import check_reference
from grader.batch.stop_signals import ASKING, ignore_signals
from grader.course.plan import load_plan
from grader.course.rubric import Rubric
from grader.errors import DiskError
from grader.sandbox.base import Backend
from grader.sandbox.probe import BACKENDS, choose
from grader.serve import upload_storage
from grader.serve.attempt_rules import hidden_shown_from
from grader.serve.backup import keep_course
from grader.serve.class_folder import ClassFolderUpdater
from grader.serve.data_folder import DataFolder
from grader.serve.dispatcher import Dispatcher
from grader.serve.options import ServeOptions, find_rubrics
from grader.serve.store import courses, credentials, queue, settings
from grader.serve.store.database import Store
from grader.serve.web_process import WebProcess, bind_port, check_installed, running_web_process

END_SECONDS: Final = 60.0
"""Running jobs get 60 seconds to finish when the service stops; then they wait for the next start."""
_SWEEP_SECONDS: Final = 600.0
"""Orphaned files and expired sign-ins are deleted every 600 seconds."""
_SWEEP_AGE_SECONDS: Final = 3600.0
"""Uploads younger than 3600 seconds are not swept, since they may be about to enter the queue."""
_DISK_FULL_PAUSE_SECONDS: Final = 1.0
"""While the disk is full, the service tries again every second."""
_MOST_CLUSTER_JOBS: Final = 1000
"""At most 1000 jobs are given to a cluster at once."""


class _StopRequest:
    """A signal handler that counts requests to stop; while the service starts, the first one ends it at
    once."""

    def __init__(self) -> None:
        self.asked, self.has_begun = 0, False

    def __call__(self, _signal: int, _frame: FrameType | None) -> None:
        self.asked += 1
        if self.asked == 1 and not self.has_begun:
            raise KeyboardInterrupt


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a running service."""

    options: ServeOptions
    data: DataFolder
    store: Store
    served: Mapping[str, Course]
    backend: Backend
    web: WebProcess
    stop: _StopRequest


def serve(options: ServeOptions) -> int:
    """Run until SIGTERM or Ctrl-C; return the exit status. Raises GraderError if it cannot start."""
    check_installed()
    data, wanted = DataFolder(options.data), find_rubrics(options.courses)
    with ExitStack() as stack:
        data.create()
        stack.enter_context(hold(data.folder))
        stop, store = stack.enter_context(_handling_stop_signals()), Store(data.database)
        stack.callback(store.close)
        settings.put(store, settings.CLOSING, "")
        listening = stack.enter_context(bind_port(options))
        options = replace(options, port=listening.getsockname()[1])
        settings.put(store, settings.ADDRESS, options.address)
        backend, reason = choose(options.sandbox)
        print(reason, flush=True)
        served = _load_courses(options, wanted, backend, stack.enter_context(named_gate()))
        register_courses(store, {id_: course.plan.rubric for id_, course in served.items()})
        for id_, course in served.items():
            if lacking := keep_course(data, id_, course.plan.rubric):
                print(lacking, flush=True)
        web = stack.enter_context(running_web_process(options, wanted, listening))
        _run(_Parts(options, data, store, served, backend, web, stop))
    return 0


def _load_courses(
    options: ServeOptions, wanted: Mapping[str, Path | None], backend: Backend, gate: str
) -> dict[str, Course]:
    plans = {id_: load_plan(path) for id_, path in wanted.items()}
    return {id_: Course(plan, backend.name, options.language, gate) for id_, plan in plans.items()}


def register_courses(store: Store, served: Mapping[str, Rubric]) -> None:
    """Store the courses in the database, with the time from which their marks may be sent to platforms."""
    for id_, rubric in served.items():
        courses.put(store, id_, rubric.title, marks_from=hidden_shown_from(rubric))


def _run(parts: _Parts) -> None:
    """Check the reference solutions, then grade attempts until the service is asked to stop."""
    for course in parts.served.values():
        check_reference(course, parts.backend, partial(print, flush=True))
    parts.stop.has_begun = True
    lanes = _make_lanes(parts.options, parts.served)
    most = _MOST_CLUSTER_JOBS if parts.options.cluster else _count_jobs(parts.options)
    dispatcher = Dispatcher(parts.data, parts.store, lanes, most)
    for id_, lane in lanes.items():
        if isinstance(lane, LocalWorkers):
            lane.on_step = partial(dispatcher.record_exercise, id_)
    updater = ClassFolderUpdater(parts.data, parts.store, parts.served)
    print(_greeting(parts), flush=True)
    try:
        _grade_until_stopped(parts, lanes, dispatcher, updater)
        _finish_running_jobs(parts, dispatcher)
    finally:
        for lane in lanes.values():
            lane.close()
        dispatcher.release()
        updater.close()
    print(_farewell(parts.store), flush=True)


def _grade_until_stopped(
    parts: _Parts, lanes: Mapping[str, Executor], dispatcher: Dispatcher, updater: ClassFolderUpdater
) -> None:
    """Grade attempts until the service is asked to stop; wait while the disk is full."""
    swept, trouble, stored_workers = float("-inf"), "", -1
    while not parts.stop.asked:
        try:
            if stored_workers != (workers := _count_workers(parts.options, lanes)):
                settings.put(parts.store, settings.WORKERS, str(workers))
                stored_workers = workers
            dispatcher.step()
            updater.tick()
            parts.web.tick()
            if time.monotonic() > swept + _SWEEP_SECONDS:
                swept, now = time.monotonic(), time.time()
                upload_storage.sweep_orphans(parts.data, parts.store, older_than=now - _SWEEP_AGE_SECONDS)
                credentials.sweep_sign_ins(parts.store, now)
            trouble = ""
        except DiskError as error:
            if trouble != str(error):
                print(
                    f"grader: {error} (the service continues when there is room)", file=sys.stderr, flush=True
                )
            trouble = str(error)
            time.sleep(_DISK_FULL_PAUSE_SECONDS)


def _finish_running_jobs(parts: _Parts, dispatcher: Dispatcher) -> None:
    """Accept no more uploads and finish running jobs, until a time limit or a second request to stop."""
    settings.put(parts.store, settings.CLOSING, "yes")
    print("stopping after the attempts that are being graded; press Ctrl-C again to stop at once", flush=True)
    end, asked = time.monotonic() + END_SECONDS, parts.stop.asked
    while not dispatcher.is_idle and time.monotonic() < end and parts.stop.asked == asked:
        dispatcher.step(takes=False)


def _make_lanes(options: ServeOptions, served: Mapping[str, Course]) -> dict[str, Executor]:
    """Return the executor of each course; idle ones wait, and cost little."""
    if options.cluster:
        return {id_: Cluster(options.cluster, course, waits=True) for id_, course in served.items()}
    jobs = _count_jobs(options)
    return {id_: LocalWorkers(course, BACKENDS[course.sandbox], jobs) for id_, course in served.items()}


def _count_jobs(options: ServeOptions) -> int:
    return options.jobs or cpu_count() or 1


def _count_workers(options: ServeOptions, lanes: Mapping[str, Executor]) -> int:
    """Return the number of jobs that can run at once; 0 while a cluster has no workers."""
    if options.cluster:
        return max(lane.at_once for lane in lanes.values() if isinstance(lane, Cluster))
    return _count_jobs(options)


def _greeting(parts: _Parts) -> str:
    lines = [f"{id_}: {course.plan.rubric.title}" for id_, course in parts.served.items()]
    waiting = queue.count_by_state(parts.store)["waiting"]
    if waiting:
        lines.append(f"{_count_in_words(waiting)} from the last run: these are graded first")
    if parts.options.demo:
        lines.append("Demonstration mode: anybody can sign in under any name")
    if parts.options.url.startswith("https://") and not parts.options.proxies:
        lines.append("No proxy is set (--proxy 127.0.0.1): all visitors behind a proxy count as one address")
    return "\n".join([*lines, f"Hand in at {parts.options.address}"])


def _farewell(store: Store) -> str:
    waiting = queue.count_by_state(store)["waiting"]
    return (
        f"{_count_in_words(waiting)}: graded when the service starts again"
        if waiting
        else "no attempts are waiting"
    )


def _count_in_words(count: int) -> str:
    return f"{count} attempt{'s' * (count != 1)} waiting"


@contextmanager
def _handling_stop_signals() -> Iterator[_StopRequest]:
    """Install the signal handlers that record requests to stop, for the duration of the context."""
    stop = _StopRequest()
    heard = [each for each in ASKING if signal.getsignal(each) is not signal.SIG_IGN]
    before = {each: signal.signal(each, stop) for each in heard}
    try:
        yield stop
    finally:
        if stop.asked:
            ignore_signals()
        for each, handler in before.items():
            signal.signal(each, handler)
