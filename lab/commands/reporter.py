"""A pytest plugin that reports each test to ``maze check`` as it happens, a JSON line for each event.

A test that hangs is killed with its whole process: what was reported before is not lost.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lab.leftovers import Leftover

_EXAMPLES: list[dict[str, Any]] = []
"""The running test's example, if it has reported one."""

_LEFT: list[Leftover] = []
"""What the test passed over."""

VARIABLE = "MAZE_CHECK_REPORT"
"""The environment variable that names the file to write to."""


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Announce the tests, in the order in which they will run."""
    for item in items:
        document = item.function.__doc__ or item.name
        checks, title = getattr(item.function, "checks", ()), " ".join(document.split())
        _tell(event="test", id=item.nodeid, file=Path(item.path).name, title=title, checks=checks)


def pytest_runtest_logstart(nodeid: str) -> None:
    """Report that a test begins."""
    _EXAMPLES.clear()
    _LEFT.clear()
    _tell(event="start", id=nodeid)


def pytest_runtest_logreport(report: Any) -> None:
    """Report how a test ended, as soon as that is known."""
    if report.when == "call" or report.outcome != "passed":
        passed = report.outcome == "passed"
        example = _EXAMPLES.pop() if _EXAMPLES else None
        _tell(
            event="end",
            id=report.nodeid,
            passed=passed,
            message=report.longreprtext,
            example=example,
            left=_LEFT,
        )


def show(**example: Any) -> None:
    """Report the example on which the running test is about to fail, for a page."""
    _EXAMPLES[:] = [example]


def add(**more: Any) -> None:
    """Add to the example of the running test, or report one of these alone."""
    _EXAMPLES[:] = [{**example(), **more}]


def example() -> dict[str, Any]:
    """Return the example that the running test has reported; nothing if it has reported none."""
    return _EXAMPLES[0] if _EXAMPLES else {}


def tell_left(found: Iterable[Leftover]) -> None:
    """Report what the running test passed over, with its end."""
    _LEFT.extend(found)


def _tell(**message: Any) -> None:
    with Path(os.environ[VARIABLE]).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(message, default=str) + "\n")
