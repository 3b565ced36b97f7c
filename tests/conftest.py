"""Settings for every test."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.submissions.loader import Case
from tests.touched import Choice, everything, touched
from tests.untraced import _untraced as _untraced  # a fixture for all tests

if TYPE_CHECKING:
    from tests.firefox import Firefox

if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # all that tests start would ignore it as well, below nohup

_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _PATIENT, derandomize=True, database=None)
settings.register_profile("fuzz", _PATIENT, max_examples=1000)
settings.load_profile("fixed")


_PATIENCE_MILLISECONDS = 60_000
"""How long a page may take, on a busy machine, to show what is expected of it."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, for the pages that people look at."""
    found = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    expect.set_options(timeout=_PATIENCE_MILLISECONDS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=next(found), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def firefox() -> Iterator[Firefox]:
    """Another real browser, for the pages that students open on their own machines."""
    from tests.firefox import started  # where it is asked for only: few tests do, and its driver is large

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


_LONGEST_FIRST = (
    *("batch/test_class_run.py", "batch/test_kills.py", "grader/test_backends_agree.py"),
    *("test_misconceptions.py", "grading/test_engine.py", "grading/test_hidden_checks.py"),
    *("checks/test_checks.py", "grader/test_cli.py"),
    *("batch/test_cluster.py", "feedback/test_html_in_a_browser.py", "docs/test_story.py"),
)
"""The files whose tests take longest all together: one that began last would be waited for."""
_SPREAD = "grader/test_corpus.py"
"""Hundreds of submissions, each on its own: any worker may take any of them, and they fill the gaps."""


def _case_of(item: pytest.Item) -> Case | None:
    """The submission that a test of the corpus grades; None for other tests."""
    if not item.path.as_posix().endswith(_SPREAD):
        return None
    assert isinstance(item, pytest.Function)
    case = item.callspec.params["case"]
    assert isinstance(case, Case)
    return case


def _turn(item: pytest.Item) -> tuple[int, bool]:
    """When a test is run: files that take long, all others, and the corpus with its slow cases first."""
    if (case := _case_of(item)) is not None:
        return len(_LONGEST_FIRST) + 1, not case.expectation.slow
    file = item.path.as_posix()
    place = next((n for n, end in enumerate(_LONGEST_FIRST) if file.endswith(end)), len(_LONGEST_FIRST))
    return place, False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--corpus",
        choices=("touched", "all"),
        default="all" if os.environ.get("CI") else "touched",
        help="of the corpus, grade what a change can touch, and a sample; or all, as in CI",
    )


def _is_asked_for(config: pytest.Config) -> bool:
    """Whether the command names the corpus, or tests by their names."""
    return bool(config.option.keyword) or any(_SPREAD in argument for argument in config.args)


def _choice(config: pytest.Config) -> Choice:
    if config.getoption("corpus") == "all" or _is_asked_for(config):
        return everything("they were asked for")
    return touched()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=_turn)
    chosen = set(_choice(config).chosen)
    left = [item for item in items if _case_of(item) not in {None, *chosen}]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if str(config.rootpath / "tests") in config.args or "tests" in config.args:
        terminalreporter.section("the corpus")
        terminalreporter.line(_choice(config).told())


class _FileByFile(LoadFileScheduling):  # type: ignore[misc] # it comes without types
    """Keeps the tests of a file on one worker, since they share what is costly to set up."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return nodeid if file.endswith(_SPREAD) else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _FileByFile | None:
    config.option.loadscopereorder = False  # they come in the order in which they should run
    return _FileByFile(config, log) if config.getoption("dist") == "loadfile" else None
