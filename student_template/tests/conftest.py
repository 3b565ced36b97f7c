"""Puts your folder on Python's path, and runs each test with a large stack and a time limit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from traceback import extract_tb
from typing import Any

import pytest

from lab import worker
from lab.commands import student

FOLDER = Path(os.environ.get("MAZE_SUBMISSION") or Path(__file__).parent.parent).resolve()
MOST_SECONDS, LEAST_SECONDS = 5.0, 0.5
SECONDS: dict[str, float] = {}
"""What the next test of a file may take; after one that took longer, the others of the file get less."""

sys.path.insert(0, str(FOLDER))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: Any) -> bool:
    """Run one test: what your code raises is shown with the lines of your own files."""
    student.forget(FOLDER)  # what one test leaves behind in your classes cannot fail another
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    message = _complaint(lambda: pyfuncitem.obj(**arguments), pyfuncitem.path.name)
    if message is not None:
        pytest.fail(message, pytrace=False)
    return True


def _complaint(test: Callable[[], None], file: str) -> str | None:
    """Run the test; say what your code raised, or where it was when the time was up."""
    seconds = SECONDS.get(file, MOST_SECONDS)
    try:
        worker.run(test, seconds=seconds)
    except worker.Interrupted:
        raise KeyboardInterrupt from None
    except worker.TookTooLong as stopped:
        message = f"Your code did not come to an end within {seconds:g} s. It was here:"
        SECONDS[file] = max(LEAST_SECONDS, seconds / 4)
        frames = stopped.trace
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a student's code may raise anything
        frames = list(extract_tb(error.__traceback__))
        own = [frame for frame in frames if student.is_own(FOLDER, frame)]
        if isinstance(error, NotImplementedError) and own:
            where = Path(own[-1].filename).relative_to(FOLDER).as_posix()
            return f"Still to be written: {own[-1].name} in {where}"
        message = f"Your code {student.reason(error)}"
    else:
        return None
    return f"{message}\n{student.trace(FOLDER, frames)}".rstrip()
