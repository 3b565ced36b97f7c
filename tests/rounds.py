"""How the tests run: in which round and in which order, where their files lie, and what is not traced.

Two marks say in which of three rounds a test runs: ``processes``, that it starts some, which ``make check``
does without; and ``ci``, that it is left to continuous integration. A test has its own, those of its file
(``pytestmark``), those of its fixtures, and those of the nearest entry of ``PLACES`` above it.
"""

from __future__ import annotations

import _posixsubprocess
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import NoReturn

import pytest

_HERE = Path(__file__).parent
MARKS: Mapping[str, str] = {
    "processes": "starts processes: make check leaves it out",
    "ci": "runs where CI is set, or where its file, its folder or its name is asked for",
}
PLACES: Mapping[str, str] = {
    "benchmarks": "processes ci",
    "docs/test_gallery_page.py": "processes ci",
    "docs/test_site.py": "processes ci",
    "docs/test_story.py": "processes ci",
    "fuzz/test_kept_inputs.py": "ci",
    "golden": "processes",
    "grader/batch/report/test_plots.py": "processes ci",
    "grader/batch/test_change_detection.py": "ci",
    "grader/batch/test_stop_signals.py": "processes ci",
    "grader/commands/test_nameless_user.py": "processes ci",
    "grader/commands/test_streams.py": "processes ci",
    "grader/exercises/analysis/test_analysis.py": "processes ci",
    "grader/exercises/folders/test_wall_follower.py": "processes ci",
    "grader/exports/test_gradescope.py": "processes ci",
    "grader/faults": "processes ci",
    "grader/feedback/test_translation.py": "ci",
    "grader/grading/explain/test_places.py": "processes ci",
    "grader/grading/test_failing_first.py": "ci",
    "grader/inside/test_calls_beyond_limits.py": "processes ci",
    "grader/release/test_browser.py": "processes ci",
    "grader/release/test_typed_work.py": "processes ci",
    "grader/release/test_handout.py": "ci",
    "grader/release/test_leak_check.py": "ci",
    "grader/sandbox": "processes",
    "grader/sandbox/test_delegation.py": "processes ci",
    "grader/serve": "ci",
    "grader/serve/web/test_in_a_browser.py": "processes",
    "grader/test_backends_agree.py": "processes ci",
    "grader/test_leftovers.py": "processes ci",
    "grader/verification/test_mutants.py": "processes ci",
    "lab/mistakes/test_mistakes.py": "processes ci",
    "lab/render/test_pictures.py": "ci",
    "reference": "ci",
    "scripts": "processes ci",
    "student_template/test_template.py": "ci",
    "test_contributing.py": "processes ci",
}
"""Folders and files with the marks of all their tests; the nearest entry counts."""
_BY_FIXTURE: Mapping[str, str] = {
    "browser": "processes ci",
    "dask": "processes ci",
    "firefox": "processes ci",
}
"""Fixtures with the marks of the tests that ask for them, unless ``PLACES`` names their file."""
LONGEST = ("golden", "grader/test_corpus.py")
"""What begins first where all tests run, in this order, so that nobody waits for it at the end."""
_STARTERS = (
    (subprocess, "_fork_exec"),
    (_posixsubprocess, "fork_exec"),
    *((os, name) for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "system")),
)
"""All ways in which Python starts a process."""
_MEMORY = Path("/dev/shm")
_LEAST_BYTES = 2 * 1024**3
"""A run of all tests needs less than 2 GiB for its files."""
_IN_PROCESSES = "COVERAGE_PROCESS_CONFIG"
"""By this variable processes are told that the lines which they run are noted."""


def marks_of_place(path: Path) -> frozenset[str]:
    """Return the marks that a folder or file has as a whole, read from its text without importing it."""
    return marks_above(path) | (_marks_inside(path) if path.suffix == ".py" else frozenset())


@cache
def marks_above(path: Path) -> frozenset[str]:
    """Return the marks that ``PLACES`` gives to all tests of a file or folder."""
    return frozenset(
        next((PLACES[name] for name in map(_name, (path, *path.parents)) if name in PLACES), "").split()
    )


@cache
def _marks_inside(path: Path) -> frozenset[str]:
    found = re.search(
        r"^pytestmark = .*?(?=^\S|\Z)", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    named = re.findall(r"\bmark\.(\w+)", found[0]) if found else ()
    return frozenset(named).intersection(MARKS)


def add_marks(item: pytest.Item) -> None:
    """Give a test the marks of its place and of its fixtures."""
    fixtures = () if _name(item.path) in PLACES else getattr(item, "fixturenames", ())
    for name in marks_above(item.path).union(*(_BY_FIXTURE.get(each, "").split() for each in fixtures)):
        item.add_marker(name)


def _name(path: Path) -> str:
    """Return how ``PLACES`` names a file or folder."""
    return path.relative_to(_HERE).as_posix() if path.is_relative_to(_HERE) else ""


def is_of_another_round(marks: Collection[str], config: pytest.Config) -> bool:
    """Tell whether --quick or --slow leaves out what has these marks."""
    return bool(config.getoption("quick") if "processes" in marks else config.getoption("slow"))


def is_left_to_ci(marks: Collection[str], path: Path, config: pytest.Config) -> bool:
    """Tell whether a file or its test is for continuous integration, and was not asked for."""
    if "ci" not in marks or os.environ.get("CI") or config.option.keyword or config.option.markexpr:
        return False
    asked_for = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    return not any(
        path == each or (path.is_relative_to(each) and "ci" in marks_above(each)) for each in asked_for
    )


@contextmanager
def no_process() -> Iterator[None]:
    """Have whatever starts a process fail the test that runs."""
    before = [getattr(module, name) for module, name in _STARTERS]
    for module, name in _STARTERS:
        setattr(module, name, _refuse)
    try:
        yield
    finally:
        for (module, name), function in zip(_STARTERS, before, strict=True):
            setattr(module, name, function)


def _refuse(*_arguments: object, **_options: object) -> NoReturn:
    pytest.fail(
        "expected a test without the mark processes, as make check runs them, to start none; it started one: "
        "call the function in this process, or write pytestmark = pytest.mark.processes"
    )


def in_short(left: Sequence[str]) -> str:
    """Say which files and tests are left to continuous integration: folders of ``PLACES`` by their names."""
    files = {name for name in left if "::" not in name}
    folders = {name for name in PLACES if "ci" in PLACES[name] and not name.endswith(".py")}
    told = {next((each for each in folders if name.startswith(f"tests/{each}/")), name) for name in files}
    tests = [f"tests of other files: {len(left) - len(files)}"] if len(left) > len(files) else []
    return ", ".join([*sorted(told), *tests])


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
    names = [_name(each) for each in (path, *path.parents)]
    return next((LONGEST.index(name) for name in names if name in LONGEST), len(LONGEST))


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
