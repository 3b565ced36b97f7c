"""Running without a look at which lines run."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_IN_PROCESSES = "COVERAGE_PROCESS_CONFIG"
"""By this variable processes are told that the lines which they run are noted."""


@contextmanager
def untraced() -> Iterator[None]:
    """Take the tracer off, with which work in Python takes three times as long, here and in the threads and
    processes that are started from here.

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
