"""What modules of tests read while they are collected, which every worker of a run does anew."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

READ_AT_IMPORT = pytest.StashKey[set[str]]()
_TESTS = Path(__file__).parent
_DEAR = (f"{_TESTS.parent}/docs/", f"{_TESTS.parent}/grader/mazes/", f"{_TESTS.parent}/grader/rubric.yaml")
"""Pages, mazes and rubric: who reads them at import parses them, or makes a plan."""
_KEPT = "/maze-grader/cases/"
_found: set[str] | None = None


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if _found is not None and event == "open":
        path = str(arguments[0])
        if path.startswith(_DEAR) or _KEPT in path:
            _found.add(f"{_reader()} reads {path}")


def _reader() -> str:
    """Return the line of the tests that is being run."""
    frame = sys._getframe(2)
    while frame.f_back and not frame.f_code.co_filename.startswith(f"{_TESTS}/"):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


sys.addaudithook(_watch)


@contextmanager
def what_is_read() -> Iterator[set[str]]:
    """Collect what is read that is dear to parse, and by which lines."""
    global _found
    _found = found = set[str]()
    try:
        yield found
    finally:
        _found = None
