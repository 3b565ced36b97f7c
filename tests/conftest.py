"""Settings for every test."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, sync_playwright
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.untraced import untraced

_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _PATIENT, derandomize=True, database=None)
settings.register_profile("fuzz", _PATIENT, max_examples=1000)
settings.load_profile("fixed")


@pytest.fixture
def _untraced() -> Iterator[None]:
    with untraced():
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, for the pages that people look at."""
    found = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=next(found), args=["--no-sandbox"])
        yield chromium
        chromium.close()


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
def logged_errors() -> Iterator[list[str]]:
    """What the grader logs as an error fails the test, unless the test looks at it and clears the list."""
    yield _ERRORS.messages
    messages = [*_ERRORS.messages]
    _ERRORS.messages.clear()
    assert messages == []


_SPREAD = "test_corpus.py"
"""Hundreds of submissions, each on its own: any worker may take any of them."""


class _FileByFile(LoadFileScheduling):  # type: ignore[misc] # it comes without types
    """Keeps the tests of a file on one worker, since they share what is costly to set up."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return nodeid if file.endswith(_SPREAD) else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> _FileByFile | None:
    return _FileByFile(config, log) if config.getoption("dist") == "loadfile" else None
