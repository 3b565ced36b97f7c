"""How the tests run: which of them, in which order, where their files lie, and what is not traced."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

_HERE = Path(__file__).parent
LEFT_OUT = (
    "grader/test_corpus.py",
    "golden",
    "grader/batch/test_kills.py",
    "grader/faults",
    "grader/sandbox",
    "docs/test_gallery_page.py",
    "docs/test_story.py",
    "grader/exercises/folders/test_wall_follower.py",
    "grader/batch/test_cluster.py",
    "grader/commands/test_streams.py",
    "grader/test_backends_agree.py",
    "benchmarks",
    "grader/grading/explain/test_places.py",
    "grader/exercises/solvers/test_visit_order.py",
    "grader/test_cli.py",
    "grader/batch/test_stop_signals.py",
    "fuzz/test_kept_inputs.py",
    "grader/grading/test_search_answers.py",
    "docs/test_own_check_recipe.py",
    "docs/test_site.py",
    "grader/batch/changes",
    "grader/batch/test_change_detection.py",
    "grader/batch/test_pseudonyms.py",
    "grader/commands/test_nameless_user.py",
    "grader/course/test_exercises.py",
    "grader/exercises/folders/test_answers.py",
    "grader/exercises/folders/test_recipe.py",
    "grader/exports/test_gradescope.py",
    "grader/feedback/test_translation.py",
    "grader/inside/test_calls_beyond_limits.py",
    "grader/batch/test_reader.py",
    "grader/commands/test_course.py",
    "grader/intake/test_selection.py",
    "grader/release/test_browser.py",
    "grader/release/test_kit.py",
    "grader/test_leftovers.py",
    "grader/intake/test_sevenzips.py",
    "grader/serve/test_service.py",
    "grader/test_usage.py",
    "grader/verification/test_mutants.py",
    "lab/commands/test_check.py",
    "lab/mistakes/test_mistakes.py",
    "scripts",
    "student_template",
    "test_contributing.py",
)
"""What ``make check`` does not even import: containers, browsers, classes, and what takes long for another
reason. Where all tests run, these begin first, in this order, so that nobody waits for them at the end."""
_BROWSERS = frozenset({"browser", "firefox"})
"""Fixtures that take long to start: ``make check`` leaves out their tests, wherever they are."""
_FOR_CI = frozenset({"firefox", "dask"})
"""Fixtures whose tests are left to continuous integration."""
_MEMORY = Path("/dev/shm")
_LEAST_BYTES = 2 * 1024**3
"""A run of all tests needs less than 2 GiB for its files."""
_IN_PROCESSES = "COVERAGE_PROCESS_CONFIG"
"""By this variable processes are told that the lines which they run are noted."""


def is_left_out(path: Path) -> bool:
    """Tell whether a file or a folder is left out of ``make check`` as a whole."""
    return path.is_relative_to(_HERE) and path.relative_to(_HERE).as_posix() in LEFT_OUT


def takes_long(item: pytest.Item) -> bool:
    """Tell whether ``make check`` leaves out a test: for its file, or since it asks for a browser."""
    is_out = any(is_left_out(path) for path in (item.path, *item.path.parents))
    return is_out or is_for_ci(item) or not _BROWSERS.isdisjoint(getattr(item, "fixturenames", ()))


def is_for_ci(item: pytest.Item) -> bool:
    """Tell whether a test runs in continuous integration only."""
    by_fixture = not _FOR_CI.isdisjoint(getattr(item, "fixturenames", ()))
    return by_fixture or item.get_closest_marker("ci") is not None


def in_order(items: Sequence[pytest.Item], seed: int | None) -> list[pytest.Item]:
    """Return the tests, what takes longest first; otherwise shuffled, where there is a seed, file by file."""
    files = list(dict.fromkeys(item.path for item in items))
    shuffled = [*items]
    if seed is not None:
        luck = Random(seed)
        luck.shuffle(files)
        luck.shuffle(shuffled)
    turns = {path: (_turn(path), number) for number, path in enumerate(files)}
    return sorted(shuffled, key=lambda item: turns[item.path])


def _turn(path: Path) -> int:
    above = (
        each.relative_to(_HERE).as_posix() for each in (path, *path.parents) if each.is_relative_to(_HERE)
    )
    return next((LEFT_OUT.index(name) for name in above if name in LEFT_OUT), len(LEFT_OUT))


def keep_files_in_memory() -> None:
    """Have temporary files made in memory, here and in what is started from here, unless TMPDIR is set.

    The grader waits for the disk after each result, which takes long.
    """
    if "TMPDIR" not in os.environ and _is_room_in_memory():
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def _is_room_in_memory() -> bool:
    if not os.access(_MEMORY, os.W_OK | os.X_OK) or os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(_MEMORY).free >= _LEAST_BYTES


@contextmanager
def untraced() -> Iterator[None]:
    """Take off the tracer of coverage, which makes Python three times as slow, in what is started here, too.

    For tests that run for long, through lines that other tests run as well; and for those that stop a thread:
    where that happens in the tracer, its lock stays closed, and whoever comes to a new file waits for ever.
    """
    tracer, of_threads = sys.gettrace(), threading.gettrace()
    setting = os.environ.pop(_IN_PROCESSES, None)
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)
        threading.settrace(of_threads)
        if setting is not None:
            os.environ[_IN_PROCESSES] = setting


@pytest.fixture
def _untraced() -> Iterator[None]:
    with untraced():
        yield
