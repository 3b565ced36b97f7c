"""Keeps the class folders up to date, beside the dispatcher: reports of a large class take seconds.

They are made at most for a fifth of the time, and by a process that gives way to those who grade.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import Final

from grader.batch.job import Course
from grader.batch.lock import Busy
from grader.batch.worker import die_with_parent, parent_pid
from grader.errors import GraderError
from grader.serve.class_folder import bring_up_to_date
from grader.serve.data import Data
from grader.serve.store import counting
from grader.serve.store.database import Store

_LEAST_PAUSE_SECONDS: Final = 1.0
_PAUSES: Final = 4.0
"""A pause is four times as long as the work before it."""
_NICE: Final = 5
_LAST_SECONDS: Final = 60.0


class Keeper:
    """At most one process at a time."""

    def __init__(self, data: Data, store: Store, courses: Mapping[str, Course]) -> None:
        self._data, self._store, self._courses = data, store, courses
        self._process: BaseProcess | None = None
        self._started = self._rests_until = float("-inf")

    def tick(self) -> None:
        """Begin where there is something to do, and nobody is at it."""
        now = time.monotonic()
        if self._process is not None and not self._process.is_alive():
            self._process.join()
            self._process = None
            self._rests_until = now + max(_LEAST_PAUSE_SECONDS, _PAUSES * (now - self._started))
        if self._process is None and now >= self._rests_until and self.changed():
            self._start(now)

    def changed(self) -> list[str]:
        """The courses whose folders are behind."""
        return [course for course in self._courses if counting.changed(self._store, course)]

    def close(self) -> None:
        """Wait for what was begun, and do what is left."""
        if self._process is not None:
            self._process.join(_LAST_SECONDS)
        if self.changed():
            self._start(time.monotonic())
        if self._process is not None:
            self._process.join(_LAST_SECONDS)
            self._process.kill()
            self._process.join()

    def _start(self, now: float) -> None:
        """Fork: with no connection open, since SQLite must not be carried over."""
        courses = {course: self._courses[course] for course in self.changed()}
        self._store.close()
        self._process = get_context("fork").Process(target=_keep, args=(self._data, courses))
        self._process.start()
        self._started = now


def _keep(data: Data, courses: Mapping[str, Course]) -> None:
    """The life of the process."""
    die_with_parent(parent_pid())
    for asking in (signal.SIGINT, signal.SIGHUP):  # a terminal sends them to all; the service decides
        signal.signal(asking, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.nice(_NICE)
    store = Store(data.database)
    for id_, course in courses.items():
        try:
            bring_up_to_date(data, store, id_, course, time.time())
        except Busy:
            continue  # somebody decides about a mark: the next round comes soon
        except GraderError as error:
            print(f"grader: the class folder of {id_}: {error}", file=sys.stderr, flush=True)
    store.close()
