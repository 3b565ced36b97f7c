"""Settings for every test.

What only some of the tests need (browsers, workers, the corpus) is imported where it is asked for: a file of
simple tests starts in under a second.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import quick
from tests.at_import import READ_AT_IMPORT, what_is_read
from tests.in_memory import keep_files_in_memory
from tests.running_order import SPREAD, case_of, turn
from tests.untraced import _untraced as _untraced  # a fixture for all tests

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from xdist.remote import Producer

    from tests.file_by_file import FileByFile
    from tests.firefox import Firefox
    from tests.touched import Choice

if threading.current_thread() is threading.main_thread():
    # Below nohup, or in the background of a shell, tests and all that they start would ignore these.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)

keep_files_in_memory()

_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _PATIENT, derandomize=True, database=None)
settings.register_profile("fuzz", _PATIENT, max_examples=1000)
settings.load_profile("fixed")


_PATIENCE_MILLISECONDS = 60_000
"""How long a page may take, on a busy machine, to show what is expected of it."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, for the pages that people look at."""
    from playwright.sync_api import expect, sync_playwright

    found = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    expect.set_options(timeout=_PATIENCE_MILLISECONDS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=next(found), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def firefox() -> Iterator[Firefox]:
    """Another real browser, for the pages that students open on their own machines."""
    from tests.firefox import started

    with started() as window:
        yield window


class _Errors(logging.Handler):
    """Keeps what the grader logs as an error, with its trace."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(self.format(record))


_ERRORS = _Errors()
logging.getLogger("grader").addHandler(_ERRORS)


@pytest.fixture(autouse=True)
def limits_of_python() -> Iterator[None]:
    """No test leaves to others how deep calls may go, or how large the stacks of threads are."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)
    threading.stack_size(0)


@pytest.fixture(autouse=True)
def logged_errors() -> Iterator[list[str]]:
    """What the grader logs as an error fails the test, unless the test looks at it and clears the list."""
    yield _ERRORS.messages
    messages = [*_ERRORS.messages]
    _ERRORS.messages.clear()
    assert messages == []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--corpus",
        choices=("touched", "all"),
        default="all" if os.environ.get("CI") else "touched",
        help="of the corpus, grade what a change can touch, and a sample; or all, as in CI",
    )
    parser.addoption("--quick", action="store_true", help="leave out what tests/quick.py names")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.getoption("quick") and quick.is_left_out(collection_path) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    with what_is_read() as session.config.stash[READ_AT_IMPORT]:
        return (yield)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "ci: runs where CI is set, or where its file or its name is asked for")


def _is_asked_for(file: str, config: pytest.Config) -> bool:
    """Tell whether the command names a file of tests, or tests by their names."""
    return bool(config.option.keyword or config.option.markexpr) or any(
        file in argument for argument in config.args
    )


def _is_left_to_ci(item: pytest.Item) -> bool:
    if os.environ.get("CI") or item.get_closest_marker("ci") is None:
        return False
    return not _is_asked_for(item.path.name, item.config)


def _choice(config: pytest.Config) -> Choice:
    from tests.touched import everything, touched

    if config.getoption("corpus") == "all" or _is_asked_for(SPREAD, config):
        return everything("they were asked for")
    return touched()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=turn)
    if config.getoption("quick"):
        _leave_out([item for item in items if quick.takes_long(item)], config, items)
    _leave_out([item for item in items if _is_left_to_ci(item)], config, items)
    if not any(case_of(item) for item in items):
        return
    chosen = set(_choice(config).chosen)
    _leave_out([item for item in items if case_of(item) not in {None, *chosen}], config, items)


def _leave_out(left: Sequence[pytest.Item], config: pytest.Config, items: list[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=left)
    without = set(left)
    items[:] = [item for item in items if item not in without]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if str(config.rootpath / "tests") in config.args or "tests" in config.args:
        terminalreporter.section("left to continuous integration")
        terminalreporter.line(_choice(config).told())
        terminalreporter.line("tests with the mark ci: pytest -m ci runs them" * (not os.environ.get("CI")))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FileByFile | None:
    from tests.file_by_file import FileByFile

    config.option.loadscopereorder = False  # they come in the order in which they should run
    return FileByFile(config, log) if config.getoption("dist") == "loadfile" else None
