"""Updates the class folders in a process beside the dispatcher, since reports of a large class take seconds.

It works at most a fifth of the time, and with a lower priority than the workers that grade.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Mapping
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from tempfile import TemporaryDirectory
from typing import Final

from grader.batch.job import Course
from grader.batch.lock import Busy
from grader.batch.worker import die_with_parent, parent_pid
from grader.errors import GraderError
from grader.serve.class_folder import has_new_decisions, update_class_folder
from grader.serve.data_folder import DataFolder
from grader.serve.store import marks
from grader.serve.store.database import Store

_LEAST_PAUSE_SECONDS: Final = 1.0
"""There is at least 1 second between two updates."""
_PAUSE_FACTOR: Final = 4.0
"""The pause after an update is 4 times as long as the update."""
_NICE: Final = 5
"""The niceness of the process is raised by 5."""
_LAST_SECONDS: Final = 60.0
"""The last update gets 60 seconds when the service ends."""


class ClassFolderUpdater:
    """Starts a process that updates the class folders, at most one at a time."""

    def __init__(self, data: DataFolder, store: Store, courses: Mapping[str, Course]) -> None:
        self._data, self._store, self._courses = data, store, courses
        self._process: BaseProcess | None = None
        self._started = self._rests_until = float("-inf")
        self._cache = TemporaryDirectory(prefix="maze-grader-")
        """Of matplotlib, which without a home makes a folder in each process and leaves those of forks."""

    def tick(self) -> None:
        """Start an update if one is needed, none is running, and the pause is over."""
        now = time.monotonic()
        if self._process is not None and not self._process.is_alive():
            self._process.join()
            self._process = None
            self._rests_until = now + max(_LEAST_PAUSE_SECONDS, _PAUSE_FACTOR * (now - self._started))
        if self._process is None and now >= self._rests_until and self.outdated_courses():
            self._start(now)

    def outdated_courses(self) -> list[str]:
        """Return the courses whose folders are out of date."""
        return [
            course
            for course in self._courses
            if marks.list_flagged_people(self._store, course)
            or has_new_decisions(self._data, self._store, course)
        ]

    def close(self) -> None:
        """Wait for a running update, then run a last one if it is needed."""
        if self._process is not None:
            self._process.join(_LAST_SECONDS)
        if self.outdated_courses():
            self._start(time.monotonic())
        if self._process is not None:
            self._process.join(_LAST_SECONDS)
            self._process.kill()
            self._process.join()
        self._cache.cleanup()

    def _start(self, now: float) -> None:
        """Fork the process, after closing the database: an SQLite connection must not be carried over a
        fork."""
        courses = {course: self._courses[course] for course in self.outdated_courses()}
        self._store.close()
        given = self._data, courses, self._cache.name
        self._process = get_context("fork").Process(target=_update_apart, args=given)
        self._process.start()
        self._started = now


def _update_apart(data: DataFolder, courses: Mapping[str, Course], cache: str) -> None:
    """Update the class folders of these courses: the main function of the process."""
    os.environ.setdefault("MPLCONFIGDIR", cache)
    _update_folders(data, courses)


def _update_folders(data: DataFolder, courses: Mapping[str, Course]) -> None:
    """Update the class folders of these courses."""
    die_with_parent(parent_pid())
    for asking in (signal.SIGINT, signal.SIGHUP):  # a terminal sends them to all; the service decides
        signal.signal(asking, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.nice(_NICE)
    store = Store(data.database)
    for id_, course in courses.items():
        try:
            update_class_folder(data, store, id_, course, time.time())
        except Busy:
            continue  # somebody decides about a mark: the next round comes soon
        except GraderError as error:
            print(f"grader: the class folder of {id_}: {error}", file=sys.stderr, flush=True)
    store.close()
