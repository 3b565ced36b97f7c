"""Settings for every test.

What only some of the tests need (browsers, workers, the corpus) is imported where it is asked for: a file of
simple tests starts in under a second.
"""

from __future__ import annotations

import logging
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests import rounds
from tests.at_import import READ_AT_IMPORT, what_is_read
from tests.costs import Costs
from tests.rounds import _untraced as _untraced  # a fixture for all tests

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.firefox import Firefox

if threading.current_thread() is threading.main_thread():
    # Below nohup, or in the background of a shell, tests and all that they start would ignore these.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)

rounds.keep_files_in_memory()

_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _PATIENT, derandomize=True, database=None)
settings.register_profile("fuzz", _PATIENT, max_examples=1000)
settings.load_profile("fixed")


LEFT_TO_CI = pytest.StashKey[list[str]]()
"""Files and tests that this run leaves to continuous integration."""
_PATIENCE_MILLISECONDS = 60_000
"""How long a page may take, on a busy machine, to show what is expected of it."""


@pytest.fixture(autouse=True, scope="module")
def _no_own_exercise_is_left() -> Iterator[None]:
    """Forget the own exercises of a module's courses, which else stay known until another course is read."""
    yield
    if (code := sys.modules.get("grader.exercises.kit.folders.code")) is not None:
        code.know(())


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


@pytest.fixture
def _reads_here() -> Iterator[None]:
    """Let a test parse in its own process what it brings itself."""
    from grader.reader import reading_here

    with reading_here():
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="run what starts no process")
    parser.addoption("--slow", action="store_true", help="run what starts processes")
    parser.addoption(
        "--costs", type=int, default=0, metavar="FILES", help="tell what took most of the processor"
    )
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run files and their tests in another order")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a file whose tests are all of another round."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    marks = rounds.marks_of_place(collection_path)
    if rounds.is_left_to_ci(marks, collection_path, config):
        config.stash[LEFT_TO_CI].append(collection_path.relative_to(config.rootpath).as_posix())
        return True
    return True if "processes" in marks and rounds.is_of_another_round(marks, config) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    with what_is_read() as session.config.stash[READ_AT_IMPORT]:
        return (yield)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_TO_CI] = []
    config.pluginmanager.register(Costs(config.getoption("costs")))
    for name, meaning in rounds.MARKS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


def pytest_report_header(config: pytest.Config) -> list[str]:
    seed = config.getoption("shuffle")
    return [] if seed is None else [f"in the order of --shuffle {seed}"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Forbid to start a process, to a test that does not say that it does, and to its fixtures."""
    if item.get_closest_marker("processes"):
        return (yield)
    with rounds.no_process():
        return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items[:] = rounds.in_order(items, config.getoption("shuffle"))
    left = []
    for item in items:
        rounds.add_marks(item)
        marks = {mark.name for mark in item.iter_markers()}
        if rounds.is_left_to_ci(marks, item.path, config):
            config.stash[LEFT_TO_CI].append(item.nodeid)
            left.append(item)
        elif rounds.is_of_another_round(marks, config):
            left.append(item)
    config.hook.pytest_deselected(items=left)
    without = {*left}
    items[:] = [item for item in items if item not in without]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if (sent := getattr(session.config, "workeroutput", None)) is not None:
        sent["left to ci"] = session.config.stash[LEFT_TO_CI]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[LEFT_TO_CI] = getattr(node, "workeroutput", {}).get("left to ci", [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.getoption("quick")
    if (left := config.stash[LEFT_TO_CI]) and is_whole:
        terminalreporter.section("left to .ci/run")
        terminalreporter.write_line(rounds.in_short(left))
