"""Running without a look at which lines run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_IN_PROCESSES = "COVERAGE_PROCESS_CONFIG"
"""By this variable processes are told that the lines which they run are noted."""


@contextmanager
def untraced() -> Iterator[None]:
    """Take the tracer off, with which work in Python takes three times as long, here and in the processes
    that are started from here.

    For tests that run for long, through lines that other tests run as well.
    """
    tracer, setting = sys.gettrace(), os.environ.pop(_IN_PROCESSES, None)
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)
        if setting is not None:
            os.environ[_IN_PROCESSES] = setting
